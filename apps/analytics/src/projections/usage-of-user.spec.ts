import { describe, expect, it } from '@jest/globals';
import type { UsageHour } from './usage-hours.ts';
import { UsageOfUser, type UsageOfWindow } from './usage-of-user.ts';

const hour: UsageHour = {
  user_id: 'ann',
  hour: '2026-11-21T09',
  bot_id: null,
  model: 'large',
  nano_dollars: 2,
  input_tokens: 1,
  output_tokens: 1,
};

/** Pages are read without waiting, as from a file. */
function usageOf(pages: number): Promise<UsageOfWindow> {
  let left = pages;
  const page = Array.from({ length: 1_000 }, () => hour);
  const models = { get: async () => null, find: async () => ({ rows: page, next: --left > 0 ? [left] : null }) };
  // The handler gets any object injected.
  const Handler = UsageOfUser.handler as unknown as new (...injected: object[]) => { execute(asked: object): Promise<UsageOfWindow> };
  return new Handler(models, {}).execute(new UsageOfUser('ann', '2026-01-01T00', '2026-12-31T23'));
}

describe('the usage of a window', () => {
  it('is the sum of all pages, and others get their turn between them', async () => {
    let turns = 0;
    const counting = () => {
      turns++;
      next = setImmediate(counting);
    };
    let next = setImmediate(counting);
    const { total } = await usageOf(20);
    clearImmediate(next);
    expect(total).toEqual({ nano_dollars: 40_000, corrections: 0, input_tokens: 20_000, output_tokens: 20_000 });
    expect(turns).toBeGreaterThanOrEqual(19);
  });
  it('is refused if it has too many rows', () => expect(usageOf(51)).rejects.toMatchObject({ code: 'window_too_large' }));
});
