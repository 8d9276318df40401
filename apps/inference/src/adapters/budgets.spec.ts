import { describe, expect, it } from '@jest/globals';
import { refuse } from '@parlance/decider';
import type { ApplyingBudgets } from './applying-budgets.ts';
import type { BorrowedBlocks } from './borrowed-blocks.ts';
import { Budgets, settled } from './budgets.ts';

const exceeded = refuse('limited', 'budget_exceeded', 'Too little is left.');
const away = refuse('unavailable', 'service_unavailable', 'Away.');
const payer = { userId: 'ann', groups: async () => [], botId: null, keyId: null };

/** Hard budgets, each with blocks or with the error that a take throws. */
function reserving(budgets: Readonly<Record<string, Error | null>>) {
  const ends: string[] = [];
  const applying = { to: async () => Object.keys(budgets).map((id) => ({ id, mode: 'hard', scope: 'user' })) };
  const blocks = {
    take: async (id: string) => {
      if (budgets[id]) throw budgets[id];
      const end = (how: string) => () => void ends.push(`${id} ${how}`);
      return {
        take: { block: 'b', keep: end('keep'), giveBack: end('give back'), doubt: end('doubt') },
        facts: { isBeyond: false, resetsAt: 0 },
      };
    },
  };
  const all = new Budgets(applying as unknown as ApplyingBudgets, blocks as unknown as BorrowedBlocks);
  return { reserve: () => all.reserve(payer, async () => 10), ends };
}

describe('a reservation in several budgets', () => {
  it('is released in the other budgets when one budget refuses', async () => {
    const { reserve, ends } = reserving({ one: null, two: exceeded, three: null });
    await expect(reserve()).rejects.toBe(exceeded);
    expect(ends).toEqual(['one give back', 'three give back']);
  });
  it('reports a used-up budget rather than one that cannot be reached', async () => {
    await expect(reserving({ one: away, two: exceeded }).reserve()).rejects.toBe(exceeded);
    await expect(reserving({ one: away, two: null }).reserve()).rejects.toBe(away);
  });
});

describe('a reservation for an append', () => {
  it.each<[string, () => Promise<{ written: boolean }>, string]>([
    ['is kept when it was written', async () => ({ written: true }), 'one keep'],
    ['is released after a repeat', async () => ({ written: false }), 'one give back'],
    ['is released after a refusal', () => Promise.reject(refuse('conflict', 'x', 'No.')), 'one give back'],
    ['is in doubt when a service was unavailable', () => Promise.reject(away), 'one doubt'],
    ['is in doubt when a database failed', () => Promise.reject(new Error('EIO')), 'one doubt'],
  ])('%s', async (_, append, end) => {
    const { reserve, ends } = reserving({ one: null });
    await settled(await reserve(), append()).catch(() => undefined);
    expect(ends).toEqual([end]);
  });
});
