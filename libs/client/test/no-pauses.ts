import { beforeEach, jest } from '@jest/globals';
import { time } from '../src/retries.ts';

/** Removes the client's pauses. Returns a function for the total pause of a test so far. */
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
