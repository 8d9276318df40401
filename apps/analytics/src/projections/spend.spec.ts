import { describe, expect, it } from '@jest/globals';
import type { CallCompleted, ReplyCompleted, TokensCharged } from '@parlance/contracts';
import type { CloudEvent } from '@parlance/messaging';
import fc from 'fast-check';
import { spend } from './spend.ts';
import { firstRatingKept } from './bot-usage.ts';
import { firstMonthKept } from '@parlance/contracts';

const usage = { input_tokens: 1, output_tokens: 1, cache_read_tokens: 0, cache_write_tokens: 0, estimated: false };

const completed = (position: number, conversation: string) =>
  ({
    type: 'parlance.inference.reply-completed.v1',
    time: `2026-01-01T00:00:${String(position % 60).padStart(2, '0')}Z`,
    sequence: `${position}.0`,
    data: { conversation_id: conversation, reply_id: 'r', user_id: 'ann', bot_id: null, model: 'm', usage, cost_nano_dollars: 1 },
  }) as CloudEvent<ReplyCompleted, 'parlance.inference.reply-completed.v1'>;

/** The newest event according to the rows that events produce. */
function newest(events: readonly CloudEvent[]): unknown {
  let row: object | null = null;
  for (const change of events.flatMap((event) => spend.changes(event))) if (change.op === 'update') row = change.change(row);
  return row;
}

describe('the newest event in the figures', () => {
  it('is the newest one, in whatever order conversations are delivered', () => {
    const conversations = fc.array(fc.constantFrom('a', 'b', 'c'), { minLength: 1, maxLength: 20 });
    fc.assert(
      fc.property(conversations, fc.infiniteStream(fc.nat(2)), (names, choices) => {
        const events = names.map((name, index) => completed(index + 1, name));
        // The events of each conversation stay in order, but the three conversations are interleaved.
        const queues = [...Map.groupBy(events, ({ data }) => data.conversation_id).values()];
        const delivered: CloudEvent[] = [];
        while (delivered.length < events.length) {
          const next = queues[choices.next().value! % queues.length]!.shift();
          if (next) delivered.push(next);
        }
        expect(newest(delivered)).toMatchObject({ position: events.length });
      }),
    );
  });
});

const charged = (position: number, cost: number, user: string, bot: string | null) =>
  ({
    type: position % 2 === 0 ? 'parlance.inference.reply-completed.v1' : 'parlance.inference.tokens-charged.v1',
    time: `2026-0${1 + (position % 3)}-01T00:00:00Z`,
    sequence: `${position}.0`,
    data: { conversation_id: 'c', user_id: user, bot_id: bot, model: 'm', usage, cost_nano_dollars: cost },
  }) as CloudEvent<TokensCharged, 'parlance.inference.tokens-charged.v1'>;

/** The sums of the rows of all models, added up from the changes. */
function sums(events: readonly CloudEvent[]): Map<string, number> {
  const rows = new Map<string, number>();
  for (const change of events.flatMap((event) => spend.changes(event)))
    if (change.op === 'add') rows.set(change.key, (rows.get(change.key) ?? 0) + (change.amounts['nano_dollars'] ?? 0));
  return rows;
}

describe('the sums in the figures', () => {
  it('equal those of the events, for completed replies and other charges alike', () => {
    const charge = fc.tuple(fc.nat(1_000_000), fc.constantFrom('ann', 'ben'), fc.constantFrom('guide', null));
    fc.assert(
      fc.property(fc.array(charge, { minLength: 1, maxLength: 30 }), (charges) => {
        const events = charges.map(([cost, user, bot], index) => charged(index, cost, user, bot));
        const rows = sums(events);
        const of = (month: string, test: (data: TokensCharged) => boolean) =>
          events.reduce((sum, { time, data }) => (time.startsWith(month) && test(data) ? sum + data.cost_nano_dollars : sum), 0);
        for (const month of ['2026-01', '2026-02', '2026-03']) {
          expect(rows.get(`${month}|all||`) ?? 0).toBe(of(month, () => true));
          expect(rows.get(`${month}-01|all|`) ?? 0).toBe(of(month, () => true));
          expect(rows.get(`${month}|user|ann|m`) ?? 0).toBe(of(month, ({ user_id }) => user_id === 'ann'));
          expect(rows.get(`${month}|bot|guide|`) ?? 0).toBe(of(month, ({ bot_id }) => bot_id === 'guide'));
        }
      }),
    );
  });
});

describe('the order by costs', () => {
  it("contains only the rows of all models, so that a charge updates no index for its model's row", () => {
    const changes = spend.changes(charged(1, 7, 'ann', 'guide')).filter(({ table }) => table.name === 'spend');
    const ranked = changes.flatMap((change) => (change.op === 'add' ? [[change.key, change.amounts['ranked']]] : []));
    expect(Object.fromEntries(ranked)).toEqual({
      '2026-02|all||': 7,
      '2026-02|all||m': undefined,
      '2026-02|user|ann|': 7,
      '2026-02|user|ann|m': undefined,
      '2026-02|bot|guide|': 7,
      '2026-02|bot|guide|m': undefined,
    });
  });
});

describe('the counts in the figures', () => {
  it('include each conversation of a user once in a month', () => {
    const changes = ['a', 'b', 'a'].flatMap((name, index) => spend.changes(completed(index + 1, name)));
    const counted = changes.filter(({ op }) => op === 'first').map(({ key }) => key);
    expect(counted).toEqual(['2026-01|c|a', '2026-01|c|b', '2026-01|c|a']);
  });

  it('are removed after 13 months at the latest, except sums of months and what belongs to them', () => {
    const removed = spend.outdated!.before({ position: 1, time: '2026-03-01T00:00:00Z' }).map(({ table }) => table.name);
    const kept = spend.tables.map(({ name }) => name).filter((name) => !removed.includes(name));
    expect(kept).toEqual(['spend', 'spend_newest', 'api_key_bots', 'spend_imports']);
  });
  it.each([
    ['2026-03-01T00:00:00Z', '2026-02'],
    ['2026-01-31T23:59:59.999Z', '2025-12'],
  ])('need the marks of counted conversations for the month of %s and the previous one: from %s on', (time, key) => {
    const removed = spend.outdated!.before({ position: 1, time });
    expect(removed.map(({ table }) => table.name)).toEqual([
      'spend_parts',
      'budget_spend',
      'budget_block_uses',
      'bot_ratings',
      'spend_imported_parts',
      'usage_hours',
      'split_hours',
      'usage_days',
      'usage_conversations',
      'usage_own_days',
      'usage_later_days',
      'usage_bot_users',
      'bot_days',
    ]);
    expect(removed.map((one) => 'key' in one && one.key)).toEqual([
      key,
      key,
      key,
      firstRatingKept(firstMonthKept(time)),
      ...Array(9).fill(firstMonthKept(time)),
    ]);
  });
});

describe('the cost of a call without a bot', () => {
  const call = {
    type: 'parlance.inference.call-completed.v1',
    time: '2026-01-01T00:00:00Z',
    sequence: '1.0',
    data: {
      call_id: 'c',
      token_id: 't',
      user_id: 'ann',
      bot_id: null,
      endpoint: 'chat/completions',
      model: 'm',
      status: 'completed',
      cost_centre: null,
      tags: {},
      budgets: ['budget/block'],
      usage,
      cost_nano_dollars: 7,
    },
  } as CloudEvent<CallCompleted, 'parlance.inference.call-completed.v1'>;

  it('is charged to its user, and begins and ends a use of the block in which it was reserved', () => {
    const added = spend.changes(call).flatMap((change) => (change.op === 'add' ? [change] : []));
    expect(sums([call]).get('2026-01|user|ann|')).toBe(7);
    const ofBlock = added.filter(({ key }) => key === 'block').map(({ amounts }) => amounts);
    expect(ofBlock).toEqual([{ begun: 1 }, { ended: 1, spent: 7 }]);
    expect(added.find(({ key }) => key === '2026-01-01|budget|budget')?.amounts).toEqual({ nano_dollars: 7 });
  });
});
