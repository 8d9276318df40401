/** Thrown for a command line that names something there isn't. */
export class UnknownName extends Error {
  constructor(kind: string, name: string | undefined, there: readonly string[]) {
    super(`there is no ${kind} ${name || '(none was named)'}; there are: ${there.join(', ') || 'none'}`);
    this.name = 'UnknownName';
  }
}
