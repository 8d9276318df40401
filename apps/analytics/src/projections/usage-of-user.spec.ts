import { describe, expect, it, jest } from '@jest/globals';
import { storedRows } from '../../test/stored-rows.ts';
import type { Window } from '../domain/window.ts';
import { spend } from './spend.ts';
import type { UsageDay } from './usage-days.ts';
import { UsageOfUser, type UsageOfWindow } from './usage-of-user.ts';

const row: UsageDay = {
  day: '2026-11-21',
  scope: 'user',
  id: 'ann',
  bot_id: null,
  model: 'large',
  nano_dollars: 2,
  input_tokens: 1,
  output_tokens: 1,
};

/** The usage from this many pages, which are read without waiting, as from a file. */
function usageOf(pages: number): Promise<UsageOfWindow> {
  let left = pages;
  const page = Array.from({ length: 1_000 }, () => row);
  const models = { get: async () => null, find: async () => ({ rows: page, next: --left > 0 ? [left] : null }) };
  return usageIn(models, { from: '2026-01-01T00', to: '2026-12-31T23' });
}

function usageIn(models: object, window: Window): Promise<UsageOfWindow> {
  // The handler accepts any injected object.
  const Handler = UsageOfUser.handler as unknown as new (...injected: object[]) => { execute(asked: object): Promise<UsageOfWindow> };
  const projector = { complete: (_: string, newest: object) => newest };
  return new Handler(models, projector).execute(new UsageOfUser('ann', window));
}

describe('the usage of a window', () => {
  it('is the sum of all pages, and yields to others between them', async () => {
    // A page takes as long as a turn.
    let now = performance.now();
    jest.spyOn(performance, 'now').mockImplementation(() => (now += 4));
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

describe('the usage of whole days', () => {
  it('is read from one row for each day, and from hours before and after them', async () => {
    const rows = await storedRows(spend);
    const usage = { input_tokens: 1, output_tokens: 2, cache_read_tokens: 0, cache_write_tokens: 0, estimated: false };
    const hours = Array.from({ length: 10 * 24 }, (_, index) => new Date(Date.UTC(2026, 10, 1, index, 30)).toISOString());
    const event = (time: string, index: number) => ({
      type: 'parlance.inference.reply-completed.v1',
      time,
      sequence: `${index + 1}.0`,
      data: {
        conversation_id: 'c',
        reply_id: 'r',
        user_id: 'ann',
        bot_id: 'guide',
        model: 'large',
        api_id: 'a',
        api_key_id: 'key',
        usage,
        cost_nano_dollars: 1,
      },
    });
    await rows.write(hours.map((time, index) => spend.changes(event(time, index) as never)));
    rows.read();
    const { total, byBot, byKey, daily } = await usageIn(rows.models, { from: '2026-11-01T22', to: '2026-11-10T01' });
    const read = rows.read();
    await rows.end();
    expect([total.nano_dollars, byBot, byKey, daily.size]).toEqual([196, { guide: 196 }, { key: 196 }, 10]);
    expect([read['usage_days'], read['usage_hours']]).toEqual([8, 4]);
  });
});
