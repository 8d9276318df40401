/** Thrown before anything is sent, if there is no service of this name. */
export class NoSuchService extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'NoSuchService';
  }
}
