import CircuitBreaker from 'opossum';
import { setTimeout as wait } from 'node:timers/promises';
import { failureOf, RemoteRefused, RemoteUnavailable } from './failures.ts';

export interface Patience {
  /** Time limit of one attempt. */
  readonly deadlineMillis: number;
  /** Number of attempts, including the first one. */
  readonly attempts: number;
  /** Wait before the second attempt. It doubles with each further one. */
  readonly firstWaitMillis: number;
  /** Longest wait between two attempts. A service that requests more with Retry-After is reported as unavailable at once. */
  readonly longestWaitMillis: number;
}

type Attempt = () => Promise<unknown>;

const BREAKER = {
  // opossum opens above this percentage. The breaker must open at 50.
  errorThresholdPercentage: 49.999,
  volumeThreshold: 10,
  rollingCountTimeout: 10_000,
  resetTimeout: 5_000,
  rollingPercentilesEnabled: false,
  enableSnapshots: false,
  // Each attempt has its own time limit, which also closes its connection.
  timeout: false,
} as const;

/** Thrown by an attempt that the caller's signal ended. It is not a failure of the service. */
class Ended extends Error {}

/**
 * Calls to one remote service: each attempt has a time limit, temporary failures are retried with backoff, and a circuit breaker makes calls fail
 * at once while the service is down. The caller's signal ends attempts and waits.
 */
export class RemoteService {
  private readonly breaker: CircuitBreaker<[Attempt], unknown>;

  /** @param label Name in errors, as the beginning of a sentence: `The embedding model small`. */
  constructor(private readonly label: string) {
    this.breaker = new CircuitBreaker((attempt: Attempt) => attempt(), {
      ...BREAKER,
      name: label,
      // A refusal shows that the service works, and a call that its caller ended shows nothing.
      errorFilter: (error: unknown) => error instanceof RemoteRefused || error instanceof Ended,
    });
  }

  /** Throws `RemoteUnavailable`, `RemoteRefused` or the reason of the caller's signal. */
  async call<Result>(patience: Patience, signal: AbortSignal, work: (signal: AbortSignal) => Promise<Result>): Promise<Result> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.tryOnce(patience, signal, work);
      } catch (error) {
        const pause = error instanceof RemoteUnavailable ? pauseAfter(error, attempt, patience) : null;
        if (attempt >= patience.attempts || pause === null) throw error;
        await wait(pause, undefined, { signal }).catch(() => signal.throwIfAborted());
      }
    }
  }

  get open(): boolean {
    return this.breaker.opened;
  }

  close(): void {
    this.breaker.shutdown();
  }

  private async tryOnce<Result>(
    { deadlineMillis }: Patience,
    signal: AbortSignal,
    work: (signal: AbortSignal) => Promise<Result>,
  ): Promise<Result> {
    signal.throwIfAborted();
    const deadline = AbortSignal.timeout(deadlineMillis);
    const attempt = async () => {
      try {
        return await work(AbortSignal.any([signal, deadline]));
      } catch (error) {
        if (signal.aborted) throw new Ended();
        if (deadline.aborted) throw new RemoteUnavailable(this.label, `it did not answer within ${deadlineMillis / 1_000} s`);
        throw failureOf(this.label, error);
      }
    };
    try {
      return (await this.breaker.fire(attempt)) as Result;
    } catch (error) {
      if (error instanceof Ended) throw signal.reason;
      if (error instanceof RemoteRefused || error instanceof RemoteUnavailable) throw error;
      throw new RemoteUnavailable(this.label, 'its last calls failed; it will be tried again in a few seconds', BREAKER.resetTimeout);
    }
  }
}

/** The wait before the next attempt, with random jitter so that many callers do not return at once. Null: do not retry. */
function pauseAfter({ retryAfterMillis }: RemoteUnavailable, attempt: number, patience: Patience): number | null {
  if (retryAfterMillis !== null) return retryAfterMillis <= patience.longestWaitMillis ? retryAfterMillis : null;
  const backoff = Math.min(patience.firstWaitMillis * 2 ** (attempt - 1), patience.longestWaitMillis);
  return backoff * (0.5 + Math.random() / 2);
}
