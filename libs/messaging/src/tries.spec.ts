import { describe, expect, it } from '@jest/globals';
import { UnsupportedEvent, NotNow } from './broker.ts';
import { Tries } from './tries.ts';

const policy = { attempts: 3, firstDelayMs: 1, maxDelayMs: 1 };
const offsets = ['0', '1', '2', '3'];
const next = (tries: Tries) => {
  const batch = tries.batch(offsets, 0, { events: 10, bytes: 1_000 }, () => 1);
  tries.begin(batch[0]!);
  return batch.length;
};

describe('the tries of deliveries', () => {
  it('set a delivery aside at its first try if no retry can complete it in this process', () => {
    const tries = new Tries(policy);
    tries.begin('0');
    expect(tries.rejected(1, new UnsupportedEvent('of a newer release'))).toBe('set aside');
  });

  it('set no other delivery of the batch aside', () => {
    const tries = new Tries(policy);
    const sizes: number[] = [];
    for (let verdict: unknown = null; verdict !== 'set aside';) {
      const size = next(tries);
      sizes.push(size);
      verdict = tries.rejected(size, new UnsupportedEvent('of a newer release'));
    }
    expect(sizes).toEqual([4, 2, 1]);
  });

  it('continue forever while a dependency is unavailable, and end for other failures', () => {
    const tries = new Tries(policy);
    for (let n = 0; n < 20; n++) expect(tries.rejected(1, new NotNow('down'))).not.toBe('set aside');
    const verdicts = [1, 2, 3].map(() => tries.rejected(1, new Error('broken')));
    expect(verdicts.map((verdict) => verdict === 'set aside')).toEqual([false, false, true]);
  });
});
