import { describe, expect, it } from '@jest/globals';
import type { ServiceCalls } from '@parlance/calls';
import { refuse } from '@parlance/decider';
import type { Clock } from '@parlance/foundation';
import type { ApplyingBudgets } from './applying-budgets.ts';
import { BorrowedBlocks } from './borrowed-blocks.ts';
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

describe('reports of shrunk blocks', () => {
  it('are left out while analytics runs an earlier release, which does not know them', async () => {
    const sent: object[] = [];
    const post = async (_: string, path: string, body: object) => {
      sent.push(body);
      if ('shrunk' in body) throw refuse('invalid', 'invalid_body', 'The field shrunk is unknown.');
      return path.endsWith('/lend')
        ? { block: `b${sent.length}`, amount: 10, usable_millis: 45_000, is_beyond: false, resets_at: 0 }
        : null;
    };
    let now = 0;
    const blocks = new BorrowedBlocks({ post } as unknown as ServiceCalls, { steady: () => now } as Clock);
    const { take } = await blocks.take('x', 4);
    take.keep();
    now = 50_000;
    await blocks.giveBack();
    take.settle(1);
    await blocks.giveBack();
    expect(sent.map((body) => ('shrunk' in body ? body.shrunk : null))).toEqual([null, [{ block: 'b1', most: 4 }], null]);
    expect(blocks.size).toBe(0);
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
