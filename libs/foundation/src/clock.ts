import { Instant } from '@parlance/decider';

/** The time, injected where it matters, so that tests can hold it still. */
export class Clock {
  now(): Instant {
    return Instant.ofMillis(Date.now());
  }
}

export { newId } from '@parlance/event-store';
