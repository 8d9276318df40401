/** Thrown for a command line in which the name of a service or projection is unknown or missing. */
export class UnknownName extends Error {
  constructor(kind: string, name: string | undefined, there: readonly string[], service?: string) {
    const of = service === undefined ? '' : ` of ${service}`;
    super(`${name ? `there is no ${kind} ${name}${of}` : `name a ${kind}${of}`}; there are: ${there.join(', ') || 'none'}`);
    this.name = 'UnknownName';
  }
}
