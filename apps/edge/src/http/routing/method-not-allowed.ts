/** Thrown for a path that is there, for other methods: the header `Allow` says which. */
export class MethodNotAllowed extends Error {
  readonly statusCode = 405;

  constructor() {
    super('this path is not for this method');
    this.name = 'MethodNotAllowed';
  }
}
