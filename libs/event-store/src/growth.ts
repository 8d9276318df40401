/** Waits for a log to grow. Adapters end the waits after an append. The time limit covers appends that the adapter does not see. */
export class Growth {
  /** True after `end`. Waits then end at once. */
  ended = false;
  private readonly waiting = new Set<() => void>();

  constructor(private readonly millis?: number) {}

  wait(signal?: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      if (this.ended || signal?.aborted) return resolve();
      const wake = () => {
        this.waiting.delete(wake);
        clearTimeout(timer);
        signal?.removeEventListener('abort', wake);
        resolve();
      };
      const timer = this.millis === undefined ? undefined : setTimeout(wake, this.millis).unref();
      signal?.addEventListener('abort', wake);
      this.waiting.add(wake);
    });
  }

  wake(): void {
    for (const wake of this.waiting) wake();
  }

  end(): void {
    this.ended = true;
    this.wake();
  }
}
