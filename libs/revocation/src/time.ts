/** The clocks of a process. Tests replace them, to simulate long times and different clocks. */
export abstract class Time {
  /** Monotonic milliseconds, comparable only within one process. */
  abstract steady(): number;
  /** The time of day in epoch milliseconds. It may be changed at any moment. */
  abstract ofDay(): number;
  /** Resolves after this time, or when the signal is aborted. */
  abstract sleep(millis: number, signal?: AbortSignal): Promise<void>;
}

export class SystemTime extends Time {
  constructor(private readonly clock: { steady(): number } = { steady: () => performance.now() }) {
    super();
  }

  steady(): number {
    return this.clock.steady();
  }

  ofDay(): number {
    return Date.now();
  }

  sleep(millis: number, signal?: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      if (signal?.aborted) return resolve();
      const end = () => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', end);
        resolve();
      };
      const timer = setTimeout(end, millis);
      signal?.addEventListener('abort', end);
    });
  }
}

/** A constant reason, because the default reason of `abort()` costs a stack trace each time. */
const OVER = 'over';

/** Resolves when the first wait ends, at the latest after this time, and aborts the other waits. */
export async function firstOf(time: Time, millis: number, ...waits: readonly ((signal: AbortSignal) => Promise<void>)[]): Promise<void> {
  const over = new AbortController();
  try {
    await Promise.race([time.sleep(millis, over.signal), ...waits.map((wait) => wait(over.signal))]);
  } finally {
    over.abort(OVER);
  }
}

/** Wakes waiting code in this process. A ring between the read of `rung` and the call of `after` is not missed. */
export class Bell {
  private readonly waiting = new Set<() => void>();
  private rings = 0;

  /** Read this before checking for changes, and pass it to `after`. */
  get rung(): number {
    return this.rings;
  }

  ring(): void {
    this.rings += 1;
    for (const wake of this.waiting) wake();
  }

  after(rung: number, signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      if (rung !== this.rings || signal.aborted) return resolve();
      const wake = () => {
        this.waiting.delete(wake);
        signal.removeEventListener('abort', wake);
        resolve();
      };
      this.waiting.add(wake);
      signal.addEventListener('abort', wake);
    });
  }
}
