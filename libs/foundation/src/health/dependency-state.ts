/** Whether a store or a broker answers, as one service sees it. */
export interface DependencyState {
  readonly status: 'up' | 'down';
  /** Since when the status is the same, in epoch seconds. Not before the start of this process. */
  readonly since: number;
  /** How long the check took; null if it failed. */
  readonly latency_ms: number | null;
  /** Size on disk; null if it is not known. */
  readonly bytes: number | null;
}

/** Rejects if there is no answer in time. The work itself goes on. */
export async function inTime<Result>(millis: number, work: Promise<Result>): Promise<Result> {
  const { promise, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new Error(`no answer in ${millis} ms`)), millis);
  try {
    return await Promise.race([work, promise]);
  } finally {
    clearTimeout(timer);
  }
}

/** Checks one store or broker, and remembers since when its status is the same. */
export class WatchedDependency {
  private last: Pick<DependencyState, 'status' | 'since'> | null = null;

  constructor(
    private readonly check: () => Promise<unknown>,
    private readonly bytes: () => Promise<number | null>,
    private readonly now: () => number,
    private readonly patienceMs: number,
  ) {}

  async look(): Promise<DependencyState> {
    const begin = performance.now();
    const isUp = await inTime(this.patienceMs, this.check()).then(
      () => true,
      () => false,
    );
    const latency = Math.round((performance.now() - begin) * 10) / 10;
    const status = isUp ? 'up' : 'down';
    if (this.last?.status !== status) this.last = { status, since: this.now() / 1_000 };
    const bytes = isUp ? await inTime(this.patienceMs, this.bytes()).catch(() => null) : null;
    return { ...this.last, latency_ms: isUp ? latency : null, bytes };
  }
}
