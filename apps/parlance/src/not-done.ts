/** Thrown by a command that cannot be carried out. The message is one line for the terminal, and says what to do. */
export class NotDone extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'NotDone';
  }
}
