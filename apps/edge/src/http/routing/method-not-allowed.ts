/** Thrown for a path that has routes for other methods only. The header `Allow` lists them. */
export class MethodNotAllowed extends Error {
  readonly statusCode = 405;

  constructor() {
    super('this path has no route for this method');
    this.name = 'MethodNotAllowed';
  }
}
