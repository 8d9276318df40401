import CircuitBreaker from 'opossum';
import { Pool } from 'undici';
import type { BreakerState } from './service-calls.ts';

export interface TargetOptions {
  /** The breaker opens at this share of failures, of at least so many calls within so many milliseconds … */
  readonly failureShare?: number;
  readonly atLeast?: number;
  readonly within?: number;
  /** … and lets one through after so many. */
  readonly tryAgainAfter?: number;
  /** The bulkhead: so many calls wait for an answer's beginning at once; more are refused. */
  readonly atOnce?: number;
}

export interface HttpTarget {
  readonly pool: Pool;
  /** Runs what resolves when the service has answered, and rejects when it failed, unless the breaker is open or full. */
  guard<Result>(work: () => Promise<Result>): Promise<Result>;
}

/** Thrown through a breaker by an answer that counts as a failure, and is to be used all the same. */
export class FailedAnswer extends Error {
  constructor(readonly status: number) {
    super(`answered ${status}`);
    this.name = 'FailedAnswer';
  }
}

/** The other services by their addresses: one pool of kept connections and one breaker for each, shared by calls and forwarding. */
export class HttpTargets {
  private readonly targets: ReadonlyMap<string, HttpTarget & { readonly breaker: CircuitBreaker }>;

  constructor(urls: Readonly<Record<string, string>>, options: TargetOptions = {}) {
    this.targets = new Map(Object.entries(urls).map(([name, url]) => [name, targetOf(name, url, options)]));
  }

  /** Throws Error when no address was given for a service of this name. */
  named(name: string): HttpTarget {
    const target = this.targets.get(name);
    if (target === undefined) throw new Error(`there is no address of the service ${name}`);
    return target;
  }

  breakers(): readonly BreakerState[] {
    return [...this.targets].map(([name, { breaker }]) => ({
      name,
      state: breaker.opened ? 'open' : breaker.halfOpen ? 'half_open' : 'closed',
    }));
  }

  /** Waits so many milliseconds for the answers under way, then cuts what is left: a stream may have no end. */
  async close(within = 5_000): Promise<void> {
    const all = [...this.targets.values()];
    for (const { breaker } of all) breaker.shutdown();
    const cut = setTimeout(() => all.forEach(({ pool }) => void pool.destroy()), within);
    await Promise.all(all.map(({ pool }) => pool.close().catch(() => {})));
    clearTimeout(cut);
  }
}

function targetOf(name: string, url: string, options: TargetOptions): HttpTarget & { readonly breaker: CircuitBreaker } {
  const { failureShare = 0.5, atLeast = 10, within = 10_000, tryAgainAfter = 5_000, atOnce = 1_000 } = options;
  const breaker = new CircuitBreaker((work: () => Promise<unknown>) => work(), {
    name,
    // opossum opens above a percentage, we open at it.
    errorThresholdPercentage: failureShare * 100 - 0.001,
    volumeThreshold: atLeast,
    rollingCountTimeout: within,
    rollingPercentilesEnabled: false,
    enableSnapshots: false,
    resetTimeout: tryAgainAfter,
    capacity: atOnce,
    // Each exchange has a time limit of its own, that ends its connection too.
    timeout: false,
  });
  // An answer's end may be hours away (a stream): only its beginning has a limit. A dead peer is found by TCP keep-alive.
  const pool = new Pool(url, { bodyTimeout: 0, keepAliveTimeout: 30_000, pipelining: 1 });
  return {
    pool,
    breaker: breaker as unknown as CircuitBreaker,
    guard: <Result>(work: () => Promise<Result>) => breaker.fire(work) as Promise<Result>,
  };
}
