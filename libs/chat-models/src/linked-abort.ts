/**
 * A signal that can be aborted and also follows another signal. `AbortSignal.any` keeps its signals in weak references, which only collections of
 * all memory clear: whatever is reachable from such a signal, such as a request with its answer, grows old and makes these collections frequent.
 */
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

  /** Stops following the other signal. */
  unlink(): void {
    this.other.removeEventListener('abort', this.follow);
  }
}
