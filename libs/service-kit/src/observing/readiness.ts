import type { BreakerState } from './metrics.ts';

type Facts = Readonly<Record<string, string | number | boolean>>;

/** Answers when the thing works, perhaps with facts that anybody may see; rejects when it doesn't. */
export type HealthCheck = () => Promise<Facts | void>;

/** What a service needs in order to serve, and whether it wants to go on serving. */
export class Readiness {
  private readonly needs = new Map<string, HealthCheck>();
  private readonly breakers = new Map<string, () => BreakerState>();
  private leaving = false;

  /** Without it the service is not ready: a store, a broker. */
  needsToAnswer(name: string, check: HealthCheck): void {
    this.needs.set(name, check);
  }

  /** Shown, but no reason to be taken out of service: the rest of it still serves. */
  showsBreaker(name: string, state: () => BreakerState): void {
    this.breakers.set(name, state);
  }

  /** From now on the service is not ready, so that nobody sends it new work while it finishes what it has. */
  leave(): void {
    this.leaving = true;
  }

  get isLeaving(): boolean {
    return this.leaving;
  }

  get checks(): ReadonlyMap<string, HealthCheck> {
    return this.needs;
  }

  get breakerStates(): Readonly<Record<string, BreakerState>> {
    return Object.fromEntries([...this.breakers].map(([name, state]) => [name, state()]));
  }
}
