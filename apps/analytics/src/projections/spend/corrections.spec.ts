import { describe, expect, it } from '@jest/globals';
import type { CloudEvent } from '@parlance/messaging';
import type { Change } from '@parlance/read-models';
import fc from 'fast-check';
import { spend } from '../spend.ts';

const usage = { input_tokens: 3, output_tokens: 2, cache_read_tokens: 1, cache_write_tokens: 0, estimated: false };
const time = '2026-11-21T09:30:00.000Z';

interface Use {
  readonly hour: string;
  readonly user: string;
  readonly bot: string | null;
  readonly model: string;
  readonly key: boolean;
  readonly nano: number;
}

const placeOf = ({ user, bot, model, key }: Use) => ({
  user_id: user,
  bot_id: bot,
  model,
  ...(key && bot !== null && { api_id: 'a', api_key_id: `key of ${bot}` }),
});
const charged = (use: Use) =>
  ({
    type: 'parlance.inference.tokens-charged.v1',
    time: `${use.hour}:10:00.000Z`,
    sequence: '1.0',
    data: { ...placeOf(use), conversation_id: 'c', charge_id: 'c', purpose: 'title', usage, cost_nano_dollars: use.nano },
  }) as unknown as CloudEvent;
const restated = (uses: readonly (Use & { readonly difference: number })[]) =>
  ({
    type: 'parlance.inference.costs-restated.v1',
    time,
    sequence: '2.0',
    data: {
      restatement_id: 'r',
      corrections: uses.map((use) => ({ hour: use.hour, ...placeOf(use), difference_nano_dollars: use.difference })),
    },
  }) as unknown as CloudEvent;

const chargeCorrected = (one: Use & { readonly difference: number }) =>
  ({
    type: 'parlance.inference.charge-corrected.v1',
    time,
    sequence: '2.0',
    data: {
      charge_id: 'c',
      cost_nano_dollars: one.nano + one.difference,
      hour: one.hour,
      ...placeOf(one),
      difference_nano_dollars: one.difference,
      spent_difference_nano_dollars: one.difference,
      budgets: ['g/block'],
    },
  }) as unknown as CloudEvent;

/** The sums that events produce in the rows, by table and key. */
function rowsOf(events: readonly CloudEvent[], tables = /^(?!budget)/): Readonly<Record<string, Readonly<Record<string, number>>>> {
  const rows = new Map<string, Record<string, number>>();
  const make = (change: Change) => {
    if (change.op !== 'add' || !tables.test(change.table.name)) return;
    const key = `${change.table.name} ${change.key}`;
    const row = rows.get(key) ?? {};
    for (const [field, amount] of Object.entries(change.amounts)) row[field] = (row[field] ?? 0) + amount;
    rows.set(key, row);
  };
  for (const event of events) for (const change of spend.changes(event as never)) make(change);
  return Object.fromEntries([...rows].toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

const use = fc.record({
  hour: fc.constantFrom('2026-11-21T09', '2026-11-20T23', '2026-10-01T00'),
  user: fc.constantFrom('ann', 'ben'),
  bot: fc.constantFrom('guide', 'atlas', null),
  model: fc.constantFrom('m', 'n'),
  key: fc.boolean(),
  nano: fc.nat(1_000_000),
  difference: fc.integer({ min: -1_000_000, max: 1_000_000 }),
});

describe('corrections in the rows of costs', () => {
  it('do not change the costs as billed, and have the same sums over users, bots, models, days and hours', () => {
    fc.assert(
      fc.property(fc.array(use, { minLength: 1, maxLength: 25 }), (uses) => {
        const rows = Object.entries(rowsOf([...uses.map(charged), restated(uses)]));
        const sum = (field: 'nano_dollars' | 'corrections', prefix: RegExp) =>
          rows.reduce((all, [key, row]) => (prefix.test(key) ? all + (row[field] ?? 0) : all), 0);
        const billed = uses.reduce((all, { nano }) => all + nano, 0);
        const difference = uses.reduce((all, one) => all + one.difference, 0);
        for (const [field, total] of [
          ['nano_dollars', billed],
          ['corrections', difference],
        ] as const) {
          expect(sum(field, /^spend \d+-\d+\|all\|\|$/)).toBe(total);
          expect(sum(field, /^spend \d+-\d+\|all\|\|.+$/)).toBe(total);
          expect(sum(field, /^spend \d+-\d+\|user\|\w+\|$/)).toBe(total);
          expect(sum(field, /^usage_days [-\d]+\|all\|\|/)).toBe(total);
          expect(sum(field, /^usage_days [-\d]+\|user\|/)).toBe(total);
          expect(sum(field, /^usage_days [-\d]+\|bot\|/)).toBe(total);
          expect(sum(field, /^usage_hours /)).toBe(total);
        }
      }),
    );
  });
  it('for single charges produce the same rows as a restatement', () => {
    fc.assert(
      fc.property(fc.array(use, { minLength: 1, maxLength: 12 }), (uses) => {
        const charges = uses.map(charged);
        expect(rowsOf([...charges, ...uses.map(chargeCorrected)])).toEqual(rowsOf([...charges, restated(uses)]));
      }),
    );
  });
  it('produce the same rows in any order of delivery, and after a rebuild', () => {
    const mixed = fc
      .array(use, { minLength: 1, maxLength: 12 })
      .chain((uses) =>
        fc.tuple(fc.constant(uses), fc.shuffledSubarray([...uses.keys(), -1], { minLength: uses.length + 1, maxLength: uses.length + 1 })),
      );
    fc.assert(
      fc.property(mixed, ([uses, order]) => {
        const events = [...uses.map(charged), restated(uses)];
        expect(rowsOf(order.map((index) => events.at(index)!))).toEqual(rowsOf(events));
      }),
    );
  });
  it('for a time whose hours are no longer kept are only in the months', () => {
    const old = { hour: '2025-09-30T23', user: 'ann', bot: 'guide', model: 'm', key: false, nano: 0, difference: -7 };
    expect(Object.keys(rowsOf([restated([old])]))).toEqual([
      'spend 2025-09|all||',
      'spend 2025-09|all||m',
      'spend 2025-09|bot|guide|',
      'spend 2025-09|bot|guide|m',
      'spend 2025-09|user|ann|',
      'spend 2025-09|user|ann|m',
    ]);
  });
  it('by a restatement do not change the spending of budgets', () => {
    const changes = spend.changes(
      restated([{ hour: '2026-11-21T09', user: 'ann', bot: 'guide', model: 'm', key: true, nano: 0, difference: 5 }]) as never,
    );
    expect(changes.filter(({ table }) => table.name.startsWith('budget'))).toEqual([]);
  });
  it('for single charges result in the same spending of budgets as a charge of the corrected cost', () => {
    const spentBy = (events: readonly CloudEvent[]) =>
      Object.fromEntries(
        Object.entries(rowsOf(events, /^budget_spend$/)).flatMap(([key, { nano_dollars }]) =>
          key.includes('|budget|') || nano_dollars === 0 ? [] : [[key, nano_dollars]],
        ),
      );
    const recent = use.filter(({ hour }) => hour >= '2026-10');
    fc.assert(
      fc.property(fc.array(recent, { minLength: 1, maxLength: 12 }), (uses) => {
        const asStated = uses.map((one) => charged({ ...one, nano: one.nano + one.difference }));
        expect(spentBy([...uses.map(charged), ...uses.map(chargeCorrected)])).toEqual(spentBy(asStated));
      }),
    );
  });
  it('for single charges change the budgets in which they were reserved, if the days of the budgets are kept', () => {
    const one = { hour: '2026-11-20T23', user: 'ann', bot: null, model: 'm', key: false, nano: 9, difference: -4 };
    const rows = rowsOf([chargeCorrected(one)], /^budget_spend$/);
    expect(rows['budget_spend 2026-11-20|budget|g']).toEqual({ nano_dollars: -4 });
    expect(rowsOf([chargeCorrected({ ...one, hour: '2026-09-30T23' })], /^budget_spend$/)).toEqual({});
  });
});
