import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { RequestLimit } from './request-limit.ts';

describe('a limit of requests', () => {
  let now = 0;
  const limit = (perMinute: number, most?: number) => new RequestLimit(perMinute, () => now, most);
  const taken = (from: RequestLimit, client: string, times: number) => Array.from({ length: times }, () => from.take(client));

  it('admits a full bucket of requests at once, and then requests as tokens flow in', () => {
    const three = limit(3);
    expect(taken(three, 'ann', 4)).toEqual([0, 0, 0, 20_000]);
    now += 20_000;
    expect(taken(three, 'ann', 2)).toEqual([0, 20_000]);
    now += 3_600_000;
    expect(taken(three, 'ann', 4)).toEqual([0, 0, 0, 20_000]);
  });

  it('reports whether a client has a request left, without taking one', () => {
    const two = limit(2);
    expect([two.isUsedUp('ann'), ...taken(two, 'ann', 1), two.isUsedUp('ann'), ...taken(two, 'ann', 1), two.isUsedUp('ann')]).toEqual([
      false,
      0,
      false,
      0,
      true,
    ]);
    now += 30_000;
    expect([two.isUsedUp('ann'), two.isUsedUp('ben')]).toEqual([false, false]);
  });

  it('gives each client its own bucket', () => {
    const one = limit(1);
    expect(['ann', 'ben', 'ann'].map((who) => one.take(who))).toEqual([0, 0, 60_000]);
  });

  it('remembers a limited number of clients', () => {
    const one = limit(1, 2);
    expect(['ann', 'ben', 'cat', 'ben', 'ann'].map((who) => one.take(who))).toEqual([0, 0, 0, 60_000, 0]);
  });

  it('forgets a client whose bucket is full again', () => {
    const two = limit(2);
    for (let index = 0; index < 100; index++) two.take(`client-${index}`);
    two.take('ann');
    expect(two.size).toBe(101);
    now += 30_001;
    two.take('ann');
    expect(two.size).toBe(1);
    now += 60_000;
    two.take('ben');
    expect(two.size).toBe(1);
  });

  it('never admits more than a bucket and its inflow in any window, and no less for a client that waits', () => {
    const steps = fc.array(fc.record({ pause: fc.double({ min: 0, max: 30_000, noNaN: true }), wait: fc.boolean() }), { maxLength: 120 });
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 50 }), steps, (perMinute, all) => {
        const bucket = limit(perMinute);
        const admitted: number[] = [];
        for (const { pause, wait } of all) {
          now += pause;
          const missing = bucket.take('ann');
          if (missing > 0 && wait) {
            now += missing + 1e-6;
            expect(bucket.take('ann')).toBe(0);
          }
          if (missing === 0 || wait) admitted.push(now);
        }
        for (const [first, from] of admitted.entries())
          for (const [last, to] of admitted.entries())
            if (last >= first) expect(last - first + 1).toBeLessThanOrEqual(perMinute + ((to - from) * perMinute) / 60_000 + 1e-6);
      }),
      { numRuns: 60 },
    );
  });
});
