import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { storedRows, type StoredRows } from '../../../test/stored-rows.ts';
import { KeptFigures } from './kept-figures.ts';
import { highest, SpendInWindow, type SpendingOfWindow } from './spend-in-window.ts';
import { spend } from '../spend.ts';
import { KeptUsersOfBots } from './users-of-bot.ts';

const usage = { input_tokens: 1, output_tokens: 2, cache_read_tokens: 0, cache_write_tokens: 0, estimated: false };
const HOURS = 3 * 24;
/** One charge in each hour, of one of three users with one of two bots. */
const charged = (index: number) => ({
  type: 'parlance.inference.reply-completed.v1',
  time: new Date(Date.UTC(2026, 10, 3, index, 30)).toISOString(),
  sequence: `${index + 1}.0`,
  data: {
    conversation_id: `c${index % 3}`,
    reply_id: 'r',
    user_id: `user-${index % 3}`,
    bot_id: `bot-${index % 2}`,
    model: 'large',
    usage,
    cost_nano_dollars: 1,
  },
});

/** A call by a program, a year earlier. */
const called = {
  type: 'parlance.inference.call-completed.v1',
  time: '2025-11-03T10:10:00.000Z',
  sequence: '0.0',
  data: {
    call_id: 'c',
    user_id: 'user-1',
    bot_id: null,
    token_id: 'token',
    cost_centre: null,
    tags: {},
    model: 'large',
    endpoint: 'messages',
    status: 'completed',
    usage,
    cost_nano_dollars: 5,
  },
};

describe('the summary of a window', () => {
  let rows: StoredRows;

  beforeAll(async () => {
    rows = await storedRows(spend);
    await rows.write(Array.from({ length: HOURS }, (_, index) => spend.changes(charged(index) as never)));
    await rows.write([spend.changes(called as never)]);
  });
  afterAll(() => rows.end());

  // The handler accepts any injected object.
  const Handler = SpendInWindow.handler as unknown as new (...injected: object[]) => {
    execute(asked: object): Promise<SpendingOfWindow>;
  };
  const projector = { complete: (_: string, newest: object) => newest };
  const spending = (from: string, to: string) =>
    new Handler(rows.models, projector, new KeptFigures(), new KeptUsersOfBots()).execute(new SpendInWindow({ from, to }, 1));

  it('counts each charge of a whole month once', async () => {
    const { total, users, bots, daily } = await spending('2026-10-31T00', '2026-12-01T12');
    const ofDays = [...daily.values()].reduce((sum, { nano_dollars }) => sum + nano_dollars, 0);
    expect([total, users[0], bots[0]].map((row) => row?.nano_dollars)).toEqual([HOURS, HOURS / 3, HOURS / 2]);
    expect([total?.by_model, ofDays]).toEqual([{ large: HOURS }, HOURS]);
  });
  it.each([
    ['of months and hours', '2025-10-31T00', '2025-12-01T12'],
    ['of hours', '2025-11-03T09', '2025-11-03T11'],
    ['of days', '2025-11-02T00', '2025-11-03T23'],
  ])('has the user of each token, from the sums of its months: a window %s', async (_, from, to) => {
    const { splits } = await spending(from, to);
    expect(splits.token).toMatchObject([{ id: 'token', user_id: 'user-1', nano_dollars: 5 }]);
  });
  it('reads the hours before and after its whole days once for all its sums', async () => {
    rows.read();
    const { total, users, bots, daily } = await spending('2026-11-03T12', '2026-11-05T05');
    expect([total?.nano_dollars, users[0]?.nano_dollars, bots[0]?.nano_dollars]).toEqual([42, 14, 21]);
    expect(Array.from(daily, ([day, { nano_dollars }]) => [day, nano_dollars])).toEqual([
      ['2026-11-03', 12],
      ['2026-11-04', 24],
      ['2026-11-05', 6],
    ]);
    // All 18 rows once, and the rows of the most expensive user again.
    expect(rows.read()['usage_hours']).toBe(18 + 6);
  });
});

describe('the entries with the highest cost', () => {
  it('are as many as requested, by cost and then newest first, without usage that belongs to none', () => {
    const costs = fc.dictionary(fc.constantFrom('', 'a', 'b', 'c', 'd', 'e'), fc.integer({ min: -1, max: 3 }));
    fc.assert(
      fc.property(costs, fc.integer({ min: 1, max: 7 }), (given, count) => {
        const ids = Object.keys(given).filter((id) => id !== '');
        const expected = ids.toSorted((a, b) => given[b]! - given[a]! || (a < b ? 1 : -1)).slice(0, count);
        expect(highest(new Map(Object.entries(given)), count)).toEqual(expected);
      }),
    );
  });
});
