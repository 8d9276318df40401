import { describe, expect, it, jest } from '@jest/globals';
import { seenThrough, world, counted, manyCommits, firstSeen, upTo } from '../../test/relays.ts';

describe('a relay', () => {
  it('sends the public events of commits from before and after its start, once, and no private events', async () => {
    const { relay, commit, listen, recorder, store } = await world();
    const ids = await commit('a', counted(0), { type: 'Hidden', n: 1 }, counted(2));
    await listen();
    const running = relay();
    running.start();
    ids.push(...(await commit('a', { type: 'Hidden', n: 3 })), ...(await commit('a', counted(4))));
    await running.reached(await store.head());
    await recorder.got(ids);
    await running.stop();
    expect(recorder.ids).toEqual(ids);
  });

  it('continues from its position after a restart', async () => {
    const { relay, commit, listen, recorder, store } = await world();
    await listen();
    const first = relay();
    first.start();
    const ids = await manyCommits(commit, 0, 5);
    await first.reached(await store.head());
    await first.stop();
    const second = relay();
    second.start();
    ids.push(...(await manyCommits(commit, 5, 8)));
    await recorder.got(ids);
    expect(recorder.ids).toHaveLength(ids.length);
    expect(firstSeen(recorder)).toEqual({ a: upTo(8), b: upTo(8), c: upTo(8) });
  });

  it('sends everything that was committed before it is stopped', async () => {
    const { relay, commit, listen, recorder, broker } = await world();
    await listen();
    const sending = Promise.withResolvers<void>();
    const go = Promise.withResolvers<void>();
    const stopping = relay({
      broker: seenThrough(broker, async () => {
        sending.resolve();
        await go.promise;
      }),
    });
    stopping.start();
    const ids = await commit('a', counted(0));
    await sending.promise;
    ids.push(...(await commit('a', counted(1))));
    const stopped = stopping.stop();
    go.resolve();
    await stopped;
    await recorder.got(ids);
    expect(recorder.ids).toEqual(ids);
  });

  it('stops after two seconds, even while other replicas continue to write', async () => {
    const { relay, commit, broker, store } = await world();
    const errors: unknown[] = [];
    let sends = 0;
    const clock = jest.spyOn(Date, 'now');
    const stopping = relay({
      leaseMs: 60 * 60_000,
      onError: (error) => void errors.push(error),
      broker: seenThrough(broker, async () => {
        if (++sends === 1) return;
        if (sends > 20) throw new Error('it does not stop');
        clock.mockReturnValue(Date.now() + 1_000);
        await commit('a', counted(sends));
      }),
    });
    try {
      stopping.start();
      await commit('a', counted(0));
      await stopping.reached(await store.head());
      await commit('a', counted(1));
      await stopping.stop();
    } finally {
      clock.mockRestore();
    }
    expect(errors).toEqual([]);
    expect(sends).toBeLessThan(6);
  });

  it('loses nothing and keeps each stream in order when it dies in the middle and another takes over', async () => {
    const { relay, commit, listen, recorder, broker } = await world();
    await listen();
    let sends = 0;
    const died = Promise.withResolvers<void>();
    const wake = Promise.withResolvers<void>();
    const dying = relay({
      broker: seenThrough(broker, async () => {
        if (++sends < 4) return;
        died.resolve();
        await wake.promise;
      }),
    });
    dying.start();
    const ids: string[] = [];
    for (let n = 0; n < 20; n++) ids.push(...(await manyCommits(commit, n, n + 1)));
    await died.promise;
    relay().start();
    await recorder.got(ids);
    expect(firstSeen(recorder)).toEqual({ a: upTo(20), b: upTo(20), c: upTo(20) });
    wake.resolve();
  });
});
