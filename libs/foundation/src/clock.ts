import { Instant } from '@parlance/decider';

/** The time. It is injected, so that tests can set it. */
export class Clock {
  now(): Instant {
    return Instant.ofMillis(Date.now());
  }

  /** Milliseconds that never go back, for durations. */
  steady(): number {
    return performance.now();
  }
}

export { newId } from '@parlance/event-store';
