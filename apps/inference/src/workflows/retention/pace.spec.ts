import { describe, expect, it } from '@jest/globals';
import { waitFor } from '@parlance/testing';
import { Pace, REMOVED_AT_ONCE } from './pace.ts';

describe('the pace of removals', () => {
  it('runs a limited number at once, starts them in order, and ends when all have ended', async () => {
    const pace = new Pace();
    const begun: number[] = [];
    const ends: (() => void)[] = [];
    const work = (async () => {
      for (let index = 0; index < 20; index++)
        await pace.begin(() => {
          begun.push(index);
          return new Promise((resolve) => ends.push(resolve));
        });
      await pace.end();
    })();
    await waitFor(() => begun.length === REMOVED_AT_ONCE, { what: 'the first removals' });
    for (let index = 0; index < 20; index++) {
      await waitFor(() => ends.length > index, { what: 'a removal' });
      expect(begun.length).toBeLessThanOrEqual(index + REMOVED_AT_ONCE);
      ends[index]!();
    }
    await work;
    expect(begun).toEqual(Array.from({ length: 20 }, (_, index) => index));
  });

  it('starts each in its own turn of the event loop', async () => {
    const pace = new Pace();
    const log: string[] = [];
    let turning = true;
    const turn = () => {
      if (log.at(-1) !== 'turn') log.push('turn');
      if (turning) setImmediate(turn);
    };
    setImmediate(turn);
    for (let index = 0; index < 5; index++) await pace.begin(async () => void log.push('removal'));
    turning = false;
    await pace.end();
    expect(log.join(' ')).not.toContain('removal removal');
  });
});
