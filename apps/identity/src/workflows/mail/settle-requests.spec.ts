import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { pageOf } from '@parlance/foundation';
import { RequestRounds, SETTLED_AT_ONCE } from './settle-requests.ts';

describe('a round of requests', () => {
  afterEach(() => void jest.restoreAllMocks());
  /** Open requests. Failed ones stay open. */
  const round = (count: number, settle: (request: number) => void = () => undefined) => {
    const open = Array.from({ length: count }, (_, index) => index);
    const batches: number[] = [];
    const settled: number[] = [];
    const take = async (after: readonly number[] | null) => {
      const page = open.filter((request) => after === null || request > Number(after[0])).slice(0, SETTLED_AT_ONCE);
      batches.push(page.length);
      return pageOf(
        page.map((request) => ({ mail_id: `m${request}`, request })),
        SETTLED_AT_ONCE,
        ({ request }) => [request],
      );
    };
    const done = new RequestRounds<{ mail_id: string; request: number }>('resets').run(take as never, async ({ request }) => {
      settle(request);
      settled.push(request);
      open.splice(open.indexOf(request), 1);
    });
    return { done, batches, settled, open };
  };

  it('settles batches until one is not full', async () => {
    const { done, batches, open } = round(45);
    await done;
    expect([batches, open]).toEqual([[20, 20, 5], []]);
  });
  it('settles all others when one fails, and rejects with the failure', async () => {
    const { done, batches, open } = round(45, (request) => {
      if (request === 3) throw new Error('no key');
    });
    await expect(done).rejects.toMatchObject({ message: '1 requests for resets could not be settled: m3', errors: [new Error('no key')] });
    expect([batches, open]).toEqual([[20, 20, 5], [3]]);
  });
  it('starts no batch after three seconds', async () => {
    let now = 0;
    jest.spyOn(performance, 'now').mockImplementation(() => now);
    // Each batch takes a second.
    const { done, batches } = round(200, (request) => (now += request % 20 === 0 ? 1_000 : 0));
    await done;
    expect(batches).toEqual([20, 20, 20]);
  });
  it('ends only when its requests are settled', async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    let isOver = false;
    const done = new RequestRounds('resets')
      .run(
        async () => ({ rows: [{ mail_id: 'm' }], next: null }),
        () => promise,
      )
      .then(() => (isOver = true));
    await new Promise((later) => setImmediate(later));
    expect(isOver).toBe(false);
    resolve();
    await done;
  });
});
