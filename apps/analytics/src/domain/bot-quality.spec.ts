import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { type BotQuality, busiestFirst, mostSatisfied, worstFirst } from './bot-quality.ts';

const bot = (up: number, down: number, queries = up + down): BotQuality => ({ queries, replies: queries, up, down });

describe('the order of bots by quality', () => {
  it('begins with the bot whose ratings are clearly bad, and ends with those without ratings', () => {
    const [clearlyBad, mixed, oneBad, good, unrated] = [bot(40, 60), bot(5, 5), bot(0, 1), bot(90, 10), bot(0, 0, 50)];
    expect([unrated, good, oneBad, mixed, clearlyBad].toSorted(worstFirst)).toEqual([clearlyBad, mixed, oneBad, good, unrated]);
  });

  it('prefers the bot that is asked more if the ratings are equal', () => {
    expect([bot(0, 0, 1), bot(0, 0, 9)].toSorted(worstFirst).map(({ queries }) => queries)).toEqual([9, 1]);
  });

  it('can begin with the bot that is asked most', () => {
    expect([bot(1, 9), bot(0, 0, 99)].toSorted(busiestFirst).map(({ queries }) => queries)).toEqual([99, 10]);
  });

  it('does not order bots without a bad rating by rounding', () => {
    expect(mostSatisfied(bot(7635, 0))).toBe(1);
  });

  it('estimates a share that is not below the observed one, and approaches it', () => {
    const counts = fc.integer({ min: 0, max: 10_000 });
    fc.assert(
      fc.property(counts, counts, (up, down) => {
        fc.pre(up + down > 0);
        const share = up / (up + down);
        const estimate = mostSatisfied({ up, down });
        const closer = mostSatisfied({ up: up * 100, down: down * 100 });
        return estimate >= share - 1e-9 && estimate <= 1 && closer <= estimate + 1e-9;
      }),
    );
  });
});
