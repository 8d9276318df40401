import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { storedRows, type StoredRows } from '../../../test/stored-rows.ts';
import { spend } from '../spend.ts';
import { KeptUsersOfBots, usersOfBot } from './users-of-bot.ts';

const BEGIN = Date.parse('2026-10-20T00:00:00Z');
const DAYS = 20;
const hourAt = (hour: number) => new Date(BEGIN + hour * 3_600_000).toISOString().slice(0, 13);

interface Charge {
  readonly user: string;
  readonly bot: string;
  readonly hour: number;
}

let position = 0;
const completed = ({ user, bot, hour }: Charge) =>
  spend.changes({
    type: 'parlance.inference.reply-completed.v1',
    time: `${hourAt(hour)}:30:00.000Z`,
    sequence: `${++position}.0`,
    data: {
      conversation_id: `of-${user}-${bot}`,
      reply_id: 'r',
      user_id: user,
      bot_id: bot,
      model: 'm',
      usage: { input_tokens: 1, output_tokens: 1, cache_read_tokens: 0, cache_write_tokens: 0, estimated: false },
      cost_nano_dollars: 1,
    },
  } as never);

/** The users, computed from each single charge. */
function counted(charges: readonly Charge[], bot: string, from: string, to: string): Record<string, readonly string[]> {
  const days: Record<string, string[]> = {};
  for (const { user, hour } of charges.filter((charge) => charge.bot === bot && hourAt(charge.hour) >= from && hourAt(charge.hour) <= to))
    (days[hourAt(hour).slice(0, 10)] ??= []).push(user);
  return Object.fromEntries(Object.entries(days).map(([day, users]) => [day, [...new Set(users)].toSorted()]));
}

const listed = (users: ReadonlyMap<string, readonly string[]>) =>
  Object.fromEntries(Array.from(users, ([day, its]) => [day, its.toSorted()]));

describe('the users of a bot', () => {
  let rows: StoredRows;
  beforeAll(async () => {
    rows = await storedRows(spend);
  });
  afterAll(() => rows.end());

  it('are each counted once a day, for random charges and windows, whatever is in memory', async () => {
    const [kept, small] = [new KeptUsersOfBots(), new KeptUsersOfBots(5)];
    const all: Charge[] = [];
    const charge = fc.record({
      user: fc.constantFrom('ann', 'ben', 'cid'),
      bot: fc.constantFrom('guide', 'clerk'),
      hour: fc.nat(DAYS * 24 - 1),
    });
    const hour = fc.nat(DAYS * 24 - 1);
    await fc.assert(
      fc.asyncProperty(fc.array(charge, { minLength: 1, maxLength: 20 }), hour, hour, async (charges, a, b) => {
        all.push(...charges);
        await rows.write(charges.map(completed));
        const [from, to] = [hourAt(Math.min(a, b)), hourAt(Math.max(a, b))];
        for (const bot of ['guide', 'clerk'])
          for (const cache of [kept, small])
            expect(listed(await usersOfBot(rows.models, cache, bot, { from, to }))).toEqual(counted(all, bot, from, to));
      }),
      { numRuns: 40, endOnFailure: true },
    );
  });

  it('are not read again on days without a new charge', async () => {
    const kept = new KeptUsersOfBots();
    const of = { from: '2026-10-20T00', to: '2026-11-08T23' };
    await rows.write(
      [
        { user: 'ann', bot: 'poet', hour: 30 },
        { user: 'ben', bot: 'poet', hour: 80 },
      ].map(completed),
    );
    const first = listed(await usersOfBot(rows.models, kept, 'poet', of));
    rows.read();
    expect(listed(await usersOfBot(rows.models, kept, 'poet', of))).toEqual(first);
    expect(rows.read()['usage_bot_users'] ?? 0).toBe(0);
    await rows.write([completed({ user: 'cid', bot: 'poet', hour: 81 })]);
    expect(listed(await usersOfBot(rows.models, kept, 'poet', of))).toEqual({ ...first, '2026-10-23': ['ben', 'cid'] });
    expect(rows.read()['usage_bot_users']).toBe(2);
    // Days between those with new charges are not read either.
    await rows.write(
      [
        { user: 'cid', bot: 'poet', hour: 31 },
        { user: 'ann', bot: 'poet', hour: 130 },
      ].map(completed),
    );
    expect(listed(await usersOfBot(rows.models, kept, 'poet', of))).toMatchObject({ '2026-10-23': ['ben', 'cid'], '2026-10-25': ['ann'] });
    expect(rows.read()['usage_bot_users']).toBe(2 + 1);
  });

  it('are forgotten when there are too many', () => {
    const state = { changes: 1, generation: 0, readAt: 0 };
    const kept = new KeptUsersOfBots(4);
    for (const day of ['2026-10-21', '2026-10-22']) kept.keep('poet', day, state, ['ann']);
    expect(kept.find('poet', '2026-10-21', state)).toEqual(['ann']);
    kept.keep('poet', '2026-10-23', state, []);
    expect(kept.find('poet', '2026-10-21', state)).toBeNull();
  });

  it('are read again after a rebuild, and after some time', () => {
    const state = { changes: 1, generation: 0, readAt: 0 };
    const kept = new KeptUsersOfBots(10, 1_000);
    kept.keep('poet', '2026-10-21', state, ['ann']);
    expect(kept.find('poet', '2026-10-21', { ...state, readAt: 999 })).toEqual(['ann']);
    expect(kept.find('poet', '2026-10-21', { ...state, generation: 1 })).toBeNull();
    expect(kept.find('poet', '2026-10-21', { ...state, readAt: 1_000 })).toBeNull();
  });
});
