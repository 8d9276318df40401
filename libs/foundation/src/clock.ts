import { Instant } from '@parlance/decider';

/** Injected, so that tests can set the time. */
export class Clock {
  now(): Instant {
    return Instant.ofMillis(Date.now());
  }

  /** Monotonic milliseconds, for durations. */
  steady(): number {
    return performance.now();
  }
}

export { newId } from '@parlance/event-store';
