/** Wakes all that wait for it. */
export class Bell {
  private waiting = new Set<() => void>();

  get isAlone(): boolean {
    return this.waiting.size === 0;
  }

  ring(): void {
    if (this.waiting.size === 0) return;
    const { waiting } = this;
    this.waiting = new Set();
    for (const wake of waiting) wake();
  }

  /** Resolves when it is rung, or when the waiter is gone. */
  heard(waiter: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      if (waiter.aborted) return resolve();
      const wake = () => {
        waiter.removeEventListener('abort', leave);
        resolve();
      };
      const leave = () => {
        this.waiting.delete(wake);
        resolve();
      };
      this.waiting.add(wake);
      waiter.addEventListener('abort', leave, { once: true });
    });
  }
}
