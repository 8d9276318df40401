import type { CommandBus, QueryBus } from '@nestjs/cqrs';
import { describe, expect, it } from '@jest/globals';
import { Instant, refuse } from '@parlance/decider';
import type { Clock, Streams } from '@parlance/foundation';
import { etagOf } from '@parlance/http';
import type { ExecuteBudget } from '../commands/aggregates.ts';
import type { BudgetTerms } from '../domain/budget.ts';
import { SpentIn } from '../projections/budget-spend.ts';
import { LendingBudgets } from '../projections/budgets.ts';
import { BudgetLending } from './budget-lending.ts';

const terms: BudgetTerms = { scope: 'all', scopeId: null, period: 'DAY', limit: 100, mode: 'hard' };

describe('lending a block of a budget', () => {
  it('decides on a state that was read before the charges, and reads both again when the state has changed', async () => {
    const versions = [7, 8];
    const expected: unknown[] = [];
    const commands = {
      execute: async ({ command, options }: InstanceType<typeof ExecuteBudget>) => {
        expected.push(options?.ifMatch);
        if (expected.length === 1) throw refuse('stale', 'precondition_failed', 'It has changed.');
        const { block } = command as Extract<typeof command, { type: 'Lend' }>;
        return { state: { terms, blocks: { [block]: { amount: 10 } } } };
      },
    };
    let reads = 0;
    const queries = { execute: async (query: object) => (query instanceof SpentIn ? reads++ : {}) };
    const streams = { look: async () => ({ state: { terms, blocks: {} }, version: versions.shift()! }) };
    const lending = new BudgetLending(
      commands as unknown as CommandBus,
      queries as unknown as QueryBus,
      streams as unknown as Streams,
      { now: () => Instant.ofMillis(0) } as Clock,
    );
    expect(await lending.lend('b', 'h', { needed: 10, wanted: 10 }, { closed: [], shrunk: [] })).toMatchObject({ amount: 10 });
    expect([expected, reads]).toEqual([[etagOf(7), etagOf(8)], 2]);
  });
  it('is tried ten times while others change the budget, and is then refused as busy', async () => {
    let tries = 0;
    const commands = {
      execute: async () => {
        tries++;
        throw refuse('stale', 'version_stale', 'It has changed.');
      },
    } as unknown as CommandBus;
    const queries = { execute: async () => ({}) } as unknown as QueryBus;
    const streams = { look: async () => ({ state: { terms, blocks: {} }, version: 1 }) } as unknown as Streams;
    const lending = new BudgetLending(commands, queries, streams, { now: () => Instant.ofMillis(0) } as Clock);
    await expect(lending.lend('b', 'h', { needed: 10, wanted: 10 }, { closed: [], shrunk: [] })).rejects.toMatchObject({
      code: 'budget_busy',
      facts: { retry_after: 1 },
    });
    expect(tries).toBe(10);
  });
});

describe('settling the blocks of budgets', () => {
  it("passes the period's spending to the budget, because its remaining amount decides what can be lent", async () => {
    const blocks = {
      a: { holder: 'h', amount: 50, until: Instant.ofMillis(0), uses: 1 },
      b: { holder: 'h', amount: 1, until: Instant.ofMillis(9e15) },
    };
    const rows = [
      { id: 'due', ...terms, blocks, lends: true },
      { id: 'idle', ...terms, blocks: { b: blocks.b }, lends: true },
    ];
    const known = { a: { begun: 1, ended: 1, spent: 50 } };
    const queries = { execute: async (query: object) => (query instanceof LendingBudgets ? rows : query instanceof SpentIn ? 85 : known) };
    const settled: unknown[] = [];
    const commands = { execute: async ({ id, command }: InstanceType<typeof ExecuteBudget>) => settled.push([id, command]) };
    const now = Instant.parse('2026-01-02T12:00:00Z');
    await new BudgetLending(
      commands as unknown as CommandBus,
      queries as unknown as QueryBus,
      {} as Streams,
      { now: () => now } as Clock,
    ).settle();
    expect(settled).toEqual([['due', { type: 'Settle', known, spent: 85, firstDay: '2026-01-02', now }]]);
  });
});
