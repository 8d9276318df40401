import type { BreakerState } from './metrics/metrics.ts';

export type Facts = Readonly<Record<string, string | number | boolean>>;

/** Resolves if the dependency works, perhaps with public facts; rejects if it does not. */
export type HealthCheck = () => Promise<Facts | void>;

/** The dependencies of a service, and whether it accepts requests. */
export class Readiness {
  private readonly needs = new Map<string, HealthCheck>();
  private readonly shown = new Map<string, HealthCheck>();
  private readonly waits = new Map<string, () => Facts | null>();
  private readonly breakers = new Map<string, () => BreakerState | null>();
  private leaving = false;

  /** Adds a required dependency, such as a store. The service is not ready while it fails. */
  needsToAnswer(name: string, check: HealthCheck): void {
    this.needs.set(name, check);
  }

  /** Adds an optional dependency. Its state is shown, and the service stays ready while it fails. */
  shows(name: string, check: HealthCheck): void {
    this.shown.set(name, check);
  }

  /** The service is not ready while this function returns facts, which are shown. */
  waitsFor(name: string, remaining: () => Facts | null): void {
    this.waits.set(name, remaining);
  }

  /** Adds a circuit breaker. Its state is shown unless it is null, and the service stays ready while it is open. */
  showsBreaker(name: string, state: () => BreakerState | null): void {
    this.breakers.set(name, state);
  }

  /** From now on the service is not ready, so that it gets no new work while it finishes running work. */
  leave(): void {
    this.leaving = true;
  }

  get isLeaving(): boolean {
    return this.leaving;
  }

  get checks(): ReadonlyMap<string, HealthCheck> {
    return this.needs;
  }

  get shownChecks(): ReadonlyMap<string, HealthCheck> {
    return this.shown;
  }

  /** The facts that the service still waits for. */
  get remaining(): Readonly<Record<string, Facts>> {
    const all = [...this.waits].map(([name, remaining]) => [name, remaining()] as const);
    return Object.fromEntries(all.filter((entry): entry is [string, Facts] => entry[1] !== null));
  }

  get breakerStates(): Readonly<Record<string, BreakerState>> {
    const states = [...this.breakers].map(([name, state]) => [name, state()] as const);
    return Object.fromEntries(states.filter((each): each is [string, BreakerState] => each[1] !== null));
  }
}
