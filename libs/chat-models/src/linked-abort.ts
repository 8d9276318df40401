/**
 * A signal that can be aborted and also follows another signal. `AbortSignal.any` keeps its signals in weak references, which only collections of
 * all memory clear: whatever is reachable from such a signal, such as a request with its answer, grows old and makes these collections frequent.
 */
export class LinkedAbort {
  private readonly controller = new AbortController();
  private readonly onAbort = () => this.controller.abort(this.other.reason);

  constructor(private other: AbortSignal) {
    this.follow(other);
  }

  get signal(): AbortSignal {
    return this.controller.signal;
  }

  abort(reason?: unknown): void {
    this.controller.abort(reason);
  }

  /** Follows this signal, and no longer the one before. */
  follow(other: AbortSignal): void {
    this.unlink();
    this.other = other;
    if (other.aborted) this.onAbort();
    else other.addEventListener('abort', this.onAbort, { once: true });
  }

  /** Stops following the other signal. */
  unlink(): void {
    this.other.removeEventListener('abort', this.onAbort);
  }
}
