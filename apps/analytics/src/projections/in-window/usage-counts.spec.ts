import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { firstIdAt } from '@parlance/event-store';
import type { CloudEvent } from '@parlance/messaging';
import fc from 'fast-check';
import { storedRows, type StoredRows } from '../../../test/stored-rows.ts';
import { windowOfHours } from '../../domain/window.ts';
import { KeptFigures } from './kept-figures.ts';
import { spend } from '../spend.ts';
import { ConversationsOfAll, conversationsOfSome } from './usage-counts.ts';

const HOUR = 3_600_000;
const BEGIN = Date.parse('2026-09-28T00:00:00Z');
const HOURS = 40 * 24;
const USERS = ['ann', 'ben', 'cid'];
const hourAt = (hour: number) => new Date(BEGIN + hour * HOUR).toISOString().slice(0, 13);

interface Charge {
  /** Conversations belong to users. Every fifth has an ID without a time. */
  readonly conversation: number;
  readonly hour: number;
}

const userOf = (conversation: number) => USERS[conversation % USERS.length]!;
const idOf = (conversation: number) =>
  conversation % 5 === 0 ? `c${conversation}` : `${firstIdAt(BEGIN + conversation * 20 * HOUR)}${String(conversation).padStart(16, '0')}`;

let position = 0;
const completed = ({ conversation, hour }: Charge) =>
  ({
    type: 'parlance.inference.reply-completed.v1',
    time: `${hourAt(hour)}:30:00.000Z`,
    sequence: `${++position}.0`,
    data: {
      conversation_id: idOf(conversation),
      reply_id: 'r',
      user_id: userOf(conversation),
      bot_id: hour % 2 === 0 ? 'guide' : null,
      model: 'm',
      usage: { input_tokens: 1, output_tokens: 1, cache_read_tokens: 0, cache_write_tokens: 0, estimated: false },
      cost_nano_dollars: 1,
    },
  }) as unknown as CloudEvent;

/** The counts, computed from each single charge. */
function counted(charges: readonly Charge[], from: string, to: string): Record<string, number> {
  const within = charges.filter(({ hour }) => hourAt(hour) >= from && hourAt(hour) <= to);
  const conversations = [...new Set(within.map(({ conversation }) => conversation))];
  return Object.fromEntries(USERS.map((user) => [user, conversations.filter((one) => userOf(one) === user).length]));
}

const of = (counts: ReadonlyMap<string, number>) => Object.fromEntries(USERS.map((user) => [user, counts.get(user) ?? 0]));

describe('the conversations of a window', () => {
  let rows: StoredRows;
  const [kept, ofOthers] = [new KeptFigures(), new KeptFigures()];
  // The handler accepts any injected object.
  const Handler = ConversationsOfAll.handler as unknown as new (...injected: object[]) => {
    execute(asked: object): Promise<ReadonlyMap<string, number>>;
  };
  const ofAll = (from: string, to: string, figures = kept) =>
    new Handler(rows.models, figures).execute(new ConversationsOfAll(windowOfHours(from, to)));

  beforeAll(async () => {
    rows = await storedRows(spend);
  });
  afterAll(() => rows.end());

  it('are each counted once, for random charges and windows', async () => {
    const charge = fc.record({ conversation: fc.nat(29), hour: fc.nat(HOURS) });
    const all: Charge[] = [];
    await fc.assert(
      fc.asyncProperty(fc.array(charge, { minLength: 1, maxLength: 40 }), fc.nat(HOURS), fc.nat(HOURS), async (charges, a, b) => {
        all.push(...charges);
        await rows.write(charges.map((one) => spend.changes(completed(one))));
        const [from, to] = [hourAt(Math.min(a, b)), hourAt(Math.max(a, b))];
        const expected = counted(all, from, to);
        expect(of(await ofAll(from, to))).toEqual(expected);
        // The memory contains all days of the window, none of them, or unchanged days of other windows.
        for (const figures of [kept, new KeptFigures(), ofOthers])
          expect(of(await conversationsOfSome(rows.models, figures, { from, to }, USERS))).toEqual(expected);
        await ofAll(hourAt(0), hourAt(Math.max(a, b)), ofOthers);
        const [one] = USERS;
        expect([...(await conversationsOfSome(rows.models, kept, { from, to }, [one!])).keys()]).toEqual(expected[one!]! > 0 ? [one] : []);
      }),
      { numRuns: 30, endOnFailure: true },
    );
  });
});

describe('the conversations of whole days', () => {
  it.each([
    ['the last day', hourAt(24), hourAt(48)],
    ['the first day', hourAt(0), hourAt(48)],
  ])('are counted once when they began on %s and continue in the hours after', async (_, from, to) => {
    const rows = await storedRows(spend);
    // Its ID has hour 20 of the first day; the other's ID has hour 40, on the second day.
    const charges = [20, 48].map((hour) => ({ conversation: 1, hour })).concat([41, 48].map((hour) => ({ conversation: 2, hour })));
    await rows.write(charges.map((one) => spend.changes(completed(one))));
    const counts = await conversationsOfSome(rows.models, new KeptFigures(), { from, to }, USERS);
    await rows.end();
    expect(of(counts)).toEqual({ ann: 0, ben: 1, cid: 1 });
  });
  it('are read as one row for each user and day, and not by the hour', async () => {
    const rows = await storedRows(spend);
    // On each day one conversation of 20 hours, which begins on the day and continues until the next.
    const charges = Array.from({ length: 30 }, (_, day) => day).flatMap((day) =>
      Array.from({ length: 20 }, (_, index) => ({ conversation: 3 * day + 1, hour: 20 * (3 * day + 1) + index })),
    );
    await rows.write(charges.map((one) => spend.changes(completed(one))));
    rows.read();
    const window = { from: hourAt(0), to: hourAt(HOURS * 3 - 1) };
    const counts = await conversationsOfSome(rows.models, new KeptFigures(), window, ['ben']);
    const { usage_conversations: hours = 0, usage_later_days: later = 0 } = rows.read();
    await rows.end();
    expect(counts.get('ben')).toBe(30);
    expect(hours).toBe(0);
    expect(later).toBeLessThanOrEqual(60);
  });
});
