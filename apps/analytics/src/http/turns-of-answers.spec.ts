import { beforeEach, describe, expect, it, jest } from '@jest/globals';
import type { Query } from '@parlance/read-models';
import { CostEntries } from './costs/cost-entries.ts';
import { SpendOfMonth, type Spender } from '../projections/spend.ts';
import { figuresOfSome, HourSums } from '../projections/in-window/usage-in-window.ts';

const USERS = Array.from({ length: 100 }, (_, index) => `user-${index}`);
const sums = { nano_dollars: 1, input_tokens: 1, output_tokens: 1 };

describe('an answer about many users', () => {
  let now = 0;
  /** Each read and each address takes a millisecond without yielding, as rows of a file and keys in memory do. */
  const work = () => (now += 1);
  const models = {
    get: async () => null,
    find: async (_: object, { index, where }: Query) => {
      work();
      if (index === 'byModel' || index === 'ofOne') return { rows: [{ ...sums, model: 'large' }], next: null };
      return { rows: where!['scope'] === 'user' ? USERS.map((id) => ({ ...sums, ...where, id })) : [], next: null };
    },
  };

  async function turnsOf(answer: () => Promise<unknown>): Promise<number> {
    let turns = 0;
    let next = setImmediate(function count() {
      turns++;
      next = setImmediate(count);
    });
    await answer();
    clearImmediate(next);
    return turns;
  }

  beforeEach(() => {
    now = performance.now();
    jest.spyOn(performance, 'now').mockImplementation(() => now);
  });

  it('yields while the models of each user are read', async () => {
    // The handler accepts any injected object.
    const Handler = SpendOfMonth.handler as unknown as new (...injected: object[]) => { execute(asked: object): Promise<unknown> };
    expect(await turnsOf(() => new Handler(models, {}).execute(new SpendOfMonth('2026-11', 100)))).toBeGreaterThanOrEqual(4);
  });
  it('yields while the days of each user are read', async () => {
    const window = { from: '2026-11-02T00', to: '2026-11-04T23' };
    expect(await turnsOf(() => figuresOfSome(models as never, 'user', USERS, window, new HourSums()))).toBeGreaterThanOrEqual(20);
  });
  it('yields while the address of each user is opened', async () => {
    const emails = new Map(USERS.map((id) => [id, id]));
    const entries = new CostEntries(
      { execute: async () => ({ emails }) } as never,
      { open: async (text: string) => (work(), text) } as never,
      {} as never,
    );
    const rows = USERS.map((id): Spender => ({
      ...sums,
      id,
      month: '',
      scope: 'user',
      model: '',
      by_model: {},
      corrected_by_model: {},
      parts: 0,
    }));
    expect(await turnsOf(() => entries.ofUsers(rows))).toBeGreaterThanOrEqual(15);
  });
});
