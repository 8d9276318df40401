/** Thrown for a command line with an unknown name of a service or projection. */
export class UnknownName extends Error {
  constructor(kind: string, name: string | undefined, there: readonly string[]) {
    super(`there is no ${kind} ${name || '(none was named)'}; there are: ${there.join(', ') || 'none'}`);
    this.name = 'UnknownName';
  }
}
