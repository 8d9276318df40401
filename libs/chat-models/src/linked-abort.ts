/** A signal that can be aborted and also follows another signal. `AbortSignal.any` costs more, because it keeps its signals in weak references. */
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
