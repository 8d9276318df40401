/** Time as the protocol needs it: given from outside, so that a test can let years pass, and differently for each process. */
export abstract class Time {
  /** Milliseconds that never go back, and mean something within one process alone. */
  abstract steady(): number;
  /** The time of day in epoch milliseconds, which may be set at any moment. */
  abstract ofDay(): number;
  /** Resolves after so long, or when the signal ends it. */
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

/** A reason of our own: the one that `abort()` would make costs a stack trace each time. */
const OVER = 'over';

/** Resolves with the first of some waits, after so long at the latest; the waiting for the others is ended. */
export async function firstOf(time: Time, millis: number, ...waits: readonly ((signal: AbortSignal) => Promise<void>)[]): Promise<void> {
  const over = new AbortController();
  try {
    await Promise.race([time.sleep(millis, over.signal), ...waits.map((wait) => wait(over.signal))]);
  } finally {
    over.abort(OVER);
  }
}

/** Wakes those who wait in this process. Who has looked before a ring, and waits after it, does not miss it. */
export class Bell {
  private readonly waiting = new Set<() => void>();
  private rings = 0;

  /** To be read before looking, and given to `after`. */
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
