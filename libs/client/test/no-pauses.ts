import { beforeEach, jest } from '@jest/globals';
import { time } from '../src/retries.ts';

/** The client pauses for no time. Returns how long it would have paused in a test so far. */
export function noPauses(): number[] {
  const pauses: number[] = [];
  beforeEach(() => {
    pauses.length = 0;
    jest.spyOn(time, 'pause').mockImplementation(async (millis, signal) => {
      signal?.throwIfAborted();
      pauses.push(millis);
    });
  });
  return pauses;
}
