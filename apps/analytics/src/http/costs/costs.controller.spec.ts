import { describe, expect, it } from '@jest/globals';
import type { QueryBus } from '@nestjs/cqrs';
import { UsageOfOne } from '../../projections/in-window/usage-in-window.ts';
import { NewestOfSpend, SpendOfMonth } from '../../projections/spend.ts';
import type { EarlierAmounts } from '../../workflows/earlier-amounts.ts';
import type { CostEntries } from './cost-entries.ts';
import type { SplitEntries } from './split-entries.ts';
import { CostsController } from './costs.controller.ts';

/** Charges of one nano-dollar each. After each of the first reads of a month, another one arrives. */
async function summaryDuring(arriving: number) {
  let charges = 1;
  const asOf = () => ({ position: charges, time: '2026-11-05T00:00:00Z' });
  const figures = () => ({ nano_dollars: charges, corrections: 0, input_tokens: 0, output_tokens: 0 });
  const execute = async (query: object) => {
    if (query instanceof NewestOfSpend) return asOf();
    if (query instanceof UsageOfOne) return { daily: new Map([['2026-11-05', figures()]]) };
    expect(query).toBeInstanceOf(SpendOfMonth);
    const found = { as_of: asOf(), total: figures(), users: [], bots: [], keys: [], splits: {}, nanoDollarsOfKeys: 0, correctedOfKeys: 0 };
    if (charges <= arriving) charges++;
    return found;
  };
  const none = async () => [];
  const entries = { ofUsers: none, ofBots: none, ofKeys: none } as unknown as CostEntries;
  const clock = { now: () => Date.parse('2026-11-05') as never };
  const splits = { of: async () => ({ by_token: [], by_cost_centre: [], by_tag: [] }) } as unknown as SplitEntries;
  const costs = new CostsController({ execute } as unknown as QueryBus, entries, splits, {} as EarlierAmounts, clock as never);
  const { total_cost, daily } = await costs.summary({ period: '2026-11', top_n: 1, compare: false });
  return [total_cost, daily[0]!.cost];
}

describe('the costs of a month', () => {
  it.each([0, 1, 2])('equal the sum of its days if %i charges arrive while they are read', async (arriving) => {
    const total = (arriving + 1) / 1e9;
    expect(await summaryDuring(arriving)).toEqual([total, total]);
  });
  it('are answered under constant load, too', async () => {
    const [total, days] = await summaryDuring(1_000);
    expect(days).toBeCloseTo(total! + 1e-9, 12);
  });
});
