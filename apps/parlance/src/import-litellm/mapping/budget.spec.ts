import { describe, expect, it } from '@jest/globals';
import { mappedBudget } from './budget.ts';

const budget = (duration: string | null, maxBudget: number | null = 30, more: { softBudget?: number; spend?: number } = {}) =>
  mappedBudget({ maxBudget, softBudget: more.softBudget ?? null, duration, spend: more.spend ?? 0 });

describe('a budget of LiteLLM', () => {
  it.each([
    ['24h', 'DAY'],
    ['1d', 'DAY'],
    ['7d', 'WEEK'],
    ['1w', 'WEEK'],
    ['30d', 'MONTH'],
    ['1mo', 'MONTH'],
  ] as const)('of %s is one of a %s', (duration, period) =>
    expect(budget(duration)).toEqual({ period, limit: 30, mode: 'hard', note: null }),
  );
  it.each([
    ['30s', 'DAY', 30],
    ['12h', 'DAY', 30],
    ['2d', 'WEEK', 30],
    ['14d', 'MONTH', 30],
    ['90d', 'MONTH', 10],
    ['2mo', 'MONTH', 15],
  ] as const)('of %s, which Parlance does not have, becomes a stricter one of a %s', (duration, period, limit) =>
    expect(budget(duration)).toMatchObject({ period, limit, note: expect.stringContaining(duration) }),
  );
  it('without a duration becomes what is left of it', () => {
    expect(budget(null, 30, { spend: 12.5 })).toMatchObject({
      period: 'MONTH',
      limit: 17.5,
      note: expect.stringContaining('never resets'),
    });
    expect(budget(null, 30, { spend: 31 })).toMatchObject({ limit: 0, mode: 'hard' });
    expect(budget('soon', 30, { spend: 12.5 })).toMatchObject({ limit: 17.5, note: expect.stringContaining('soon') });
  });
  it('warns if it is soft', () => expect(budget('1d', null, { softBudget: 5 })).toMatchObject({ limit: 5, mode: 'soft' }));
  it('is hard if it is both, and says that the warning is another one', () =>
    expect(budget('1d', 30, { softBudget: 5 })).toEqual({
      period: 'DAY',
      limit: 30,
      mode: 'hard',
      note: expect.stringContaining('soft_budget'),
    }));
  it('may be missing', () => expect(budget('1d', null)).toBeNull());
});
