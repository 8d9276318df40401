import { Instant } from '@parlance/decider';
import { monotonicFactory } from 'ulid';

/** The time, injected where it matters, so that tests can hold it still. */
export class Clock {
  now(): Instant {
    return Instant.ofMillis(Date.now());
  }
}

/** A new ULID; those of one process sort in the order they were made, also within a millisecond. */
export const newId: () => string = monotonicFactory();
