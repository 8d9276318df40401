import { describe, expect, it } from '@jest/globals';
import type { Change } from '@parlance/read-models';
import fc from 'fast-check';
import { spend } from '../spend.ts';
import { costCentreIn, tagIn } from './splits.ts';

const usage = { input_tokens: 3, output_tokens: 2, cache_read_tokens: 0, cache_write_tokens: 0, estimated: false };
const NOW = '2026-11-21T09:30:00.000Z';

const name = fc.oneof(fc.constantFrom('a', 'a:b', 'a|b', '%1', 'Sales & Co'), fc.string({ minLength: 1, maxLength: 8 }));
const call = fc.record({
  hour: fc.constantFrom('2026-11-21T09', '2026-11-20T23', '2026-10-01T00'),
  token: fc.constantFrom('t1', 't2'),
  centre: fc.option(name),
  tags: fc.dictionary(name, name, { maxKeys: 3 }),
  model: fc.constantFrom('m', 'n'),
  nano: fc.nat(1_000_000),
  difference: fc.integer({ min: -1_000, max: 1_000 }),
});
type Call = typeof call extends fc.Arbitrary<infer Value> ? Value : never;

const place = ({ token, centre, tags, model }: Call) => ({
  user_id: 'ann',
  bot_id: null,
  model,
  token_id: token,
  cost_centre: centre,
  tags,
});
const completed = (one: Call) => ({
  type: 'parlance.inference.call-completed.v1',
  time: `${one.hour}:10:00.000Z`,
  sequence: '1.0',
  data: { ...place(one), call_id: 'c', endpoint: 'messages', status: 'completed', usage, cost_nano_dollars: one.nano },
});
const restated = (calls: readonly Call[]) => ({
  type: 'parlance.inference.costs-restated.v1',
  time: NOW,
  sequence: '2.0',
  data: {
    restatement_id: 'r',
    corrections: calls.map((one) => {
      const { cost_centre, ...others } = place(one);
      const centre = cost_centre === null ? {} : { cost_centre };
      return { ...others, ...centre, hour: one.hour, difference_nano_dollars: one.difference };
    }),
  },
});

/** The cost of one split, as billed and as corrected, by ID. */
function sums(events: readonly object[], table: string, scope: string) {
  const found = new Map<string, [billed: number, corrections: number]>();
  for (const event of events)
    for (const change of spend.changes(event as never) as readonly Change[]) {
      if (change.op !== 'add' || change.table.name !== table) continue;
      const row = change.start as { scope?: string; id?: string; model?: string };
      // Months have a row of all models, too.
      if (row.scope !== scope || row.id === undefined || row.model === '') continue;
      const { nano_dollars = 0, corrections = 0 } = change.amounts as { nano_dollars?: number; corrections?: number };
      const [billed, corrected] = found.get(row.id) ?? [0, 0];
      found.set(row.id, [billed + nano_dollars, corrected + corrections]);
    }
  return found;
}

const expected = (calls: readonly Call[], idsOf: (one: Call) => readonly string[]) => {
  const found = new Map<string, [number, number]>();
  for (const one of calls)
    for (const id of idsOf(one)) {
      const [billed, corrected] = found.get(id) ?? [0, 0];
      found.set(id, [billed + one.nano, corrected + one.difference]);
    }
  return found;
};

describe('the splits of calls', () => {
  it('have the same costs, as billed and as corrected, in hours, days and months', () => {
    fc.assert(
      fc.property(fc.array(call, { minLength: 1, maxLength: 20 }), (calls) => {
        const events = [...calls.map(completed), restated(calls)];
        for (const table of ['spend', 'usage_days', 'split_hours']) {
          expect(sums(events, table, 'token')).toEqual(expected(calls, ({ token }) => [token]));
          const centres = [...sums(events, table, 'cost_centre')].map(([id, costs]) => [costCentreIn(id), costs] as const);
          expect(new Map(centres)).toEqual(expected(calls, ({ centre }) => (centre === null ? [] : [centre])));
          const tags = [...sums(events, table, 'tag')].map(([id, costs]) => [JSON.stringify(tagIn(id)), costs] as const);
          const tagsOf = (one: Call) => Object.entries(one.tags).map(([its, value]) => JSON.stringify({ name: its, value }));
          expect(new Map(tags)).toEqual(expected(calls, tagsOf));
        }
      }),
    );
  });
  it('leave out calls with a session, which have no token', () => {
    const one = completed({
      hour: '2026-11-21T09',
      token: 'session-ann' as Call['token'],
      centre: null,
      tags: {},
      model: 'm',
      nano: 9,
      difference: 0,
    });
    for (const table of ['spend', 'usage_days', 'split_hours']) expect(sums([one], table, 'token')).toEqual(new Map());
    const spent = (spend.changes(one as never) as readonly Change[]).filter(({ table }) => table.name === 'budget_spend');
    expect(spent.map(({ key }) => key.split('|')[1])).toEqual(['all', 'user']);
  });
  it('count as spent in the budgets of the token and of its cost centre', () => {
    const spentBy = (events: readonly object[]) => {
      const found: Record<string, number> = {};
      for (const event of events)
        for (const change of spend.changes(event as never) as readonly Change[])
          if (change.op === 'add' && change.table.name === 'budget_spend')
            found[change.key] = (found[change.key] ?? 0) + (change.amounts['nano_dollars'] ?? 0);
      return found;
    };
    const one: Call = { hour: '2026-11-21T09', token: 't1', centre: 'Sales', tags: {}, model: 'm', nano: 9, difference: -4 };
    const corrected = {
      type: 'parlance.inference.charge-corrected.v1',
      time: NOW,
      sequence: '2.0',
      data: {
        ...place(one),
        charge_id: 'c',
        cost_nano_dollars: 5,
        hour: one.hour,
        difference_nano_dollars: -4,
        spent_difference_nano_dollars: -4,
      },
    };
    expect(spentBy([completed(one)])).toMatchObject({ '2026-11-21|token|t1': 9, '2026-11-21|cost_centre|Sales': 9 });
    expect(spentBy([completed(one), corrected])).toMatchObject({ '2026-11-21|token|t1': 5, '2026-11-21|cost_centre|Sales': 5 });
  });
});
