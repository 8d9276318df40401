/** The state of a store or broker, as one service observes it. */
export interface DependencyState {
  readonly status: 'up' | 'down';
  /** When the status last changed, in epoch seconds; at the earliest the start of this process. */
  readonly since: number;
  /** The duration of the check; null if it failed. */
  readonly latency_ms: number | null;
  /** Size on disk; null if unknown. */
  readonly bytes: number | null;
}

/** Rejects if `work` does not finish in time. `work` itself continues. */
export async function inTime<Result>(millis: number, work: Promise<Result>): Promise<Result> {
  const { promise, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new Error(`no answer in ${millis} ms`)), millis);
  try {
    return await Promise.race([work, promise]);
  } finally {
    clearTimeout(timer);
  }
}

/** Checks one store or broker, and remembers when its status last changed. */
export class WatchedDependency {
  private last: Pick<DependencyState, 'status' | 'since'> | null = null;

  constructor(
    private readonly check: () => Promise<unknown>,
    private readonly bytes: () => Promise<number | null>,
    private readonly now: () => number,
    private readonly patienceMs: number,
  ) {}

  async look(): Promise<DependencyState> {
    const { latency, ...state } = await this.watch();
    const bytes = latency === null ? null : await inTime(this.patienceMs, this.bytes()).catch(() => null);
    return { ...state, latency_ms: latency, bytes };
  }

  /** Checks it without its size. `latency` is null if the check failed. */
  async watch(): Promise<Pick<DependencyState, 'status' | 'since'> & { readonly latency: number | null }> {
    const begin = performance.now();
    const isUp = await inTime(this.patienceMs, this.check()).then(
      () => true,
      () => false,
    );
    const latency = isUp ? Math.round((performance.now() - begin) * 10) / 10 : null;
    const status = isUp ? 'up' : 'down';
    if (this.last?.status !== status) this.last = { status, since: this.now() / 1_000 };
    return { ...this.last, latency };
  }
}
