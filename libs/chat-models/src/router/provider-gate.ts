import CircuitBreaker from 'opossum';
import { BREAKER } from '../breaker-limits.ts';
import { type FailureCode, GenerationFailed } from '../providers/generation-failed.ts';
import { FairTurns } from './fair-turns.ts';

export interface GateLimits {
  /** Concurrent calls to the provider. */
  readonly atOnce: number;
  /** The time limit for a call of a program to wait for its turn. */
  readonly turnMillis?: number;
  /** The time limit until a model's first token. */
  readonly firstTokenMillis: number;
  /** The time limit between two tokens. */
  readonly nextTokenMillis: number;
}

export type BreakerState = 'closed' | 'open' | 'half_open';

/** `since`: when the breaker opened, in epoch milliseconds; null while it is closed. */
export interface BreakerReport {
  readonly state: BreakerState;
  readonly since: number | null;
}

/** These failures show that the provider works, but the request or the configuration is wrong. */
const NO_FAULT_OF_PROVIDER: ReadonlySet<FailureCode> = new Set(['request_refused', 'provider_misconfigured']);

// A call that its user cancelled says nothing about the provider.
const isFault = (error: unknown): boolean => error instanceof GenerationFailed && !NO_FAULT_OF_PROVIDER.has(error.code);

type Beginning = () => Promise<unknown>;

/** Shared by all calls to one provider: fair turns, time limits and a circuit breaker. */
export class ProviderGate {
  readonly turns: FairTurns;
  private readonly breaker: CircuitBreaker<[Beginning], unknown>;
  private openedAt: number | null = null;

  constructor(
    readonly name: string,
    readonly limits: GateLimits,
    /** After this time the breaker lets one call through. */
    tryAgainMillis: number = BREAKER.resetTimeout,
  ) {
    this.turns = new FairTurns(limits.atOnce);
    this.breaker = new CircuitBreaker((begin: Beginning) => begin(), {
      ...BREAKER,
      name,
      resetTimeout: tryAgainMillis,
      errorFilter: (error: unknown) => !isFault(error),
    });
    // It opens again after each trial that fails, and has been open since the first time.
    this.breaker.on('open', () => (this.openedAt ??= Date.now()));
    this.breaker.on('close', () => (this.openedAt = null));
  }

  /** Runs a call up to its first token. Throws `GenerationFailed` at once while the breaker is open. */
  async begin<Result>(begin: () => Promise<Result>): Promise<Result> {
    const isTrial = this.breaker.halfOpen;
    try {
      return (await this.breaker.fire(begin)) as Result;
    } catch (error) {
      if ((error as { code?: unknown }).code === 'EOPENBREAKER') throw closed();
      // A call that its user cancelled has not shown that the provider works again.
      if (isTrial && !(error instanceof GenerationFailed)) this.breaker.open();
      throw error;
    }
  }

  /** Counts a call that failed after its first token. */
  brokeOff(error: unknown): void {
    if (isFault(error) && this.breaker.closed) this.breaker.fire(() => Promise.reject(error as Error)).catch(() => undefined);
  }

  /** Throws `GenerationFailed` while the breaker is open, so that a call does not wait for its turn first. */
  requireOpen(): void {
    if (this.state === 'open') throw closed();
  }

  get state(): BreakerState {
    return this.breaker.opened ? 'open' : this.breaker.halfOpen ? 'half_open' : 'closed';
  }

  get report(): BreakerReport {
    return { state: this.state, since: this.openedAt };
  }

  close(): void {
    this.breaker.shutdown();
  }
}

const closed = (): GenerationFailed => new GenerationFailed('provider_paused', { retryAfterSeconds: BREAKER.resetTimeout / 1_000 });
