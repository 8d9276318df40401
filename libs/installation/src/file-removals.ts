/**
 * Removals of objects and of index files in a data directory. A backup holds them, so that its copy has every file that existed at that
 * moment. An event that ends the use of a file must be stored before its removal begins: a removal that has begun is not held.
 */
export class FileRemovals {
  private held: Promise<void> = Promise.resolve();

  /** Resolves when a file may be removed. */
  allowed(): Promise<void> {
    return this.held;
  }

  /** Holds removals until the returned function is called. */
  hold(): () => void {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.held = this.held.then(() => promise);
    return resolve;
  }
}
