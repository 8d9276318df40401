import { describe, expect, it } from '@jest/globals';
import { FadingAverage } from './fading-average.ts';
import { type Candidate, inOrder } from './target-order.ts';

type Named = Candidate & { readonly id: string };
const target = (id: string, more: Partial<Candidate> = {}): Named => ({ id, weight: 1, calls: 0, firstByteMillis: null, cost: 0, ...more });
/** Numbers from 0 to 1 that look random and are always the same (a linear congruential generator). */
function sameNumbers(seed = 1): () => number {
  let state = seed;
  return () => (state = (state * 16_807) % 2_147_483_647) / 2_147_483_647;
}
const first = (strategy: Parameters<typeof inOrder>[0], targets: readonly Named[]) => inOrder(strategy, targets, sameNumbers())[0]?.id;

describe('the order of targets', () => {
  it('by weight gives each its share', () => {
    const random = sameNumbers();
    const targets = [target('a', { weight: 7 }), target('b', { weight: 2 }), target('c', { weight: 1 })];
    const counts: Record<string, number> = { a: 0, b: 0, c: 0 };
    for (let index = 0; index < 10_000; index++) counts[inOrder('weighted', targets, random)[0]!.id]!++;
    expect(Object.values(counts).map((count) => Math.round(count / 250))).toEqual([28, 8, 4]);
  });
  it('by time begins with a target that was not called yet, then with the fastest one', () => {
    const [fast, slow] = [target('fast', { firstByteMillis: 10 }), target('slow', { firstByteMillis: 20 })];
    expect(first('fastest', [slow, fast])).toBe('fast');
    expect(first('fastest', [slow, fast, target('new')])).toBe('new');
    expect(first('fastest', [slow, fast, target('being tried', { calls: 1 })])).toBe('fast');
    expect(first('fastest', [target('a', { calls: 2 }), target('b', { calls: 1 })])).toBe('b');
  });
  it('by load begins with the fewest calls, by price with the lowest one, and of equal ones with any', () => {
    expect(first('least_busy', [target('a', { calls: 2 }), target('b', { calls: 1 })])).toBe('b');
    expect(first('cheapest', [target('a', { cost: 2 }), target('b', { cost: 1, calls: 9 })])).toBe('b');
    const random = sameNumbers();
    const firsts = Array.from({ length: 100 }, () => inOrder('cheapest', [target('a'), target('b')], random)[0]!.id);
    expect(new Set(firsts)).toEqual(new Set(['a', 'b']));
  });
  it('has each target once', () => {
    const ids = inOrder('weighted', [target('a'), target('b'), target('c')]).map(({ id }) => id);
    expect(ids.toSorted()).toEqual(['a', 'b', 'c']);
  });
});

describe('a fading average', () => {
  it('follows its measurements, and halves in a minute without calls', () => {
    let now = 0;
    const average = new FadingAverage(() => now);
    expect(average.value).toBeNull();
    average.add(100);
    average.add(200);
    expect(average.value).toBe(130);
    now += 60_000;
    expect(average.value).toBe(65);
  });
  it('is as it was when a call begins, until that is measured', () => {
    let now = 0;
    const average = new FadingAverage(() => now);
    average.add(100);
    now += 600_000;
    average.begin();
    expect(average.value).toBe(100);
  });
});
