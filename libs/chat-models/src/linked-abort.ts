/** A signal that can be aborted and follows another one. `AbortSignal.any` costs more, because it keeps its signals in weak references. */
export class LinkedAbort {
  private readonly controller = new AbortController();
  private readonly follow = () => this.controller.abort(this.other.reason);

  constructor(private readonly other: AbortSignal) {
    if (other.aborted) this.follow();
    else other.addEventListener('abort', this.follow, { once: true });
  }

  get signal(): AbortSignal {
    return this.controller.signal;
  }

  abort(reason?: unknown): void {
    this.controller.abort(reason);
  }

  /** The other signal has no effect any more. */
  unlink(): void {
    this.other.removeEventListener('abort', this.follow);
  }
}
