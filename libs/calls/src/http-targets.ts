import CircuitBreaker from 'opossum';
import { addressesOf } from '@parlance/config';
import { neverSent } from './lost-attempts.ts';
import { LOOKED_AT_IDLE, type Patience, Replicas, type Try } from './replicas.ts';
import { NoSuchService } from './no-such-service.ts';
import type { BreakerState } from './service-calls.ts';

export { NoSignOfLife, NotInTime, RefusedByLeaving } from './lost-attempts.ts';
export type { Attempt, SignOfLife } from './replicas.ts';

export interface TargetOptions extends Patience {
  /** The breaker opens when this share of calls fails, if there were at least `atLeast` calls within `within` milliseconds. */
  readonly failureShare?: number;
  readonly atLeast?: number;
  readonly within?: number;
  /** After this many milliseconds, an open breaker lets one call through. */
  readonly tryAgainAfter?: number;
  /** How often replicas are asked for a sign of life without requests, in milliseconds. */
  readonly lookEvery?: number;
  /** The bulkhead: the maximum number of calls that wait for the start of an answer. Further calls are refused. */
  readonly atOnce?: number;
}

/** Wraps an answer that the breaker counts as a failure, but that is still returned to the caller. */
export class FailedAnswer extends Error {
  constructor(
    readonly status: number,
    /** Whether a service of Parlance has answered, rather than a proxy. */
    readonly isOfService = false,
  ) {
    super(`answered ${status}`);
    this.name = 'FailedAnswer';
  }
}

/** Error codes of opossum for a breaker that is open, full or shut down. */
const NOT_TRIED: ReadonlySet<string> = new Set(['EOPENBREAKER', 'ESEMLOCKED', 'ESHUTDOWN']);

/** Whether a call that failed with this error certainly did not reach the service. */
export const wasNeverSent = (error: unknown): boolean =>
  error instanceof NoSuchService || NOT_TRIED.has((error as { code?: string }).code ?? '') || neverSent(error);

/** A service with all of its addresses. */
export class HttpTarget {
  private readonly breaker: CircuitBreaker;
  /** For calls whose answers may begin late, so that they leave room for others. */
  private readonly late: CircuitBreaker;

  constructor(
    readonly name: string,
    readonly replicas: Replicas,
    options: TargetOptions,
  ) {
    this.breaker = breakerOf(name, options);
    this.late = breakerOf(name, options);
  }

  /**
   * Runs a call unless the breaker is open or full. Resolves when the service has answered, and rejects if the call failed. The call counts once
   * for the breaker, however many addresses were tried. `mayBeginLate`: the call waits in a bulkhead of its own.
   */
  ask<Result>(
    mayRepeat: boolean,
    send: Try<Result>,
    mayBeginLate = false,
    mayLeave = mayRepeat,
    alike: number | null = null,
  ): Promise<Result> {
    return (mayBeginLate ? this.late : this.breaker).fire(() => this.replicas.ask(mayRepeat, send, mayLeave, alike)) as Promise<Result>;
  }

  /** The worse state of both breakers. */
  get state(): BreakerState['state'] {
    const breakers = [this.breaker, this.late];
    if (breakers.some(({ opened }) => opened)) return 'open';
    return breakers.some(({ halfOpen }) => halfOpen) ? 'half_open' : 'closed';
  }

  shutdown(): void {
    this.breaker.shutdown();
    this.late.shutdown();
  }
}

function breakerOf(name: string, options: TargetOptions): CircuitBreaker {
  const { failureShare = 0.5, atLeast = 10, within = 10_000, tryAgainAfter = 5_000, atOnce = 1_000 } = options;
  return new CircuitBreaker((work: () => Promise<unknown>) => work(), {
    name,
    // opossum opens above the percentage; here the breaker opens at it.
    errorThresholdPercentage: failureShare * 100 - 0.001,
    volumeThreshold: atLeast,
    rollingCountTimeout: within,
    rollingPercentilesEnabled: false,
    enableSnapshots: false,
    resetTimeout: tryAgainAfter,
    capacity: atOnce,
    // Each exchange has its own time limit, which also closes its connection.
    timeout: false,
  }) as unknown as CircuitBreaker;
}

/** The other services: keep-alive connections to each address and one breaker for each service, shared by calls and forwarding. */
export class HttpTargets {
  private readonly targets: ReadonlyMap<string, HttpTarget>;
  private readonly looking: NodeJS.Timeout;

  constructor(urls: Readonly<Record<string, string | readonly string[]>>, options: TargetOptions = {}) {
    this.targets = new Map(
      Object.entries(urls).map(([name, addresses]) => [name, new HttpTarget(name, new Replicas(addressesOf(addresses), options), options)]),
    );
    const { lookEvery = LOOKED_AT_IDLE } = options;
    // Between two ticks, so that a tick that comes a little early is not passed over.
    const look = () => this.targets.forEach(({ replicas }) => replicas.lookAround((lookEvery * 3) / 4));
    this.looking = setInterval(look, lookEvery / 2).unref();
  }

  /** Throws `NoSuchService` if no address is configured for a service of this name. */
  named(name: string): HttpTarget {
    const target = this.targets.get(name);
    if (target === undefined) throw new NoSuchService(`there is no address of the service ${name}`);
    return target;
  }

  /** The properties of each result always show the current state of the breaker. */
  breakers(): readonly BreakerState[] {
    return [...this.targets.values()];
  }

  /** Waits this many milliseconds for current answers, then closes the remaining connections, because a stream may never end. */
  async close(within = 5_000): Promise<void> {
    clearInterval(this.looking);
    const all = [...this.targets.values()];
    for (const target of all) target.shutdown();
    const pools = all.flatMap(({ replicas }) => replicas.pools);
    const cut = setTimeout(() => pools.forEach((pool) => void pool.destroy()), within);
    await Promise.all(pools.map((pool) => pool.close().catch(() => {})));
    clearTimeout(cut);
  }
}
