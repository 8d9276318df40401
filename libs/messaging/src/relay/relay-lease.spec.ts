import { describe, expect, it } from '@jest/globals';
import { patience } from '@parlance/testing';
import { Broker, Fenced } from '../broker.ts';
import { eventually } from '../../test/contract/harness.ts';
import { RelayStopped } from './relay.ts';
import { seenThrough, world, counted, manyCommits, firstSeen, upTo } from '../../test/relays.ts';

describe('a relay', () => {
  it('is fenced when it wakes up after another has taken over, and sends nothing more', async () => {
    const { relay, commit, listen, recorder, broker, store } = await world();
    await listen();
    const asleep = Promise.withResolvers<void>();
    const wake = Promise.withResolvers<void>();
    const fenced = Promise.withResolvers<unknown>();
    const zombie = relay({
      broker: seenThrough(broker, async () => {
        asleep.resolve();
        await wake.promise;
      }),
      onError: fenced.resolve,
    });
    zombie.start();
    const ids = await commit('a', counted(0));
    await asleep.promise;
    const successor = relay();
    successor.start();
    await successor.reached(await store.head());
    wake.resolve();
    expect(await fenced.promise).toBeInstanceOf(Fenced);
    ids.push(...(await commit('a', counted(1))));
    await recorder.got(ids);
    await Promise.all([zombie.stop(), successor.stop()]);
    expect(recorder.ids).toEqual(ids);
  });

  it('lets only one of several relays send, and another take over at once when it stops', async () => {
    const { relay, commit, listen, recorder } = await world();
    await listen();
    const [one, two] = [relay(), relay()];
    one.start();
    two.start();
    const ids = await manyCommits(commit, 0, 5);
    await recorder.got(ids);
    await one.stop();
    ids.push(...(await manyCommits(commit, 5, 7)));
    await recorder.got(ids);
    await two.stop();
    expect(recorder.ids).toHaveLength(ids.length);
  });

  it('lets the newest of several releases send, so that no event is skipped by a release that does not know it', async () => {
    const { relay, commit, listen, recorder, store } = await world();
    await listen();
    const knowsNothing = relay({ publish: () => [], release: 2_000 });
    knowsNothing.start();
    await knowsNothing.reached(await store.head());
    const newer = relay({ release: 3_000 });
    newer.start();
    await newer.firstClaim();
    const ids = await manyCommits(commit, 0, 5);
    await recorder.got(ids);
    // A crash of the newer one: the older one has to wait for it.
    await newer.stop();
    ids.push(...(await manyCommits(commit, 5, 7)));
    const again = relay({ release: 3_000 });
    again.start();
    await recorder.got(ids);
    await Promise.all([knowsNothing.stop(), again.stop()]);
    expect(recorder.ids).toHaveLength(ids.length);
  });

  it.each([
    ['only when the database has answered, because an older release may publish until then', undefined, 3],
    ['also when the database has failed, if no other process can publish', 'the one process', 1],
  ])('has requested the lease %s', async (_, owner, tries) => {
    const { relay, checkpoints } = await world();
    const claim = checkpoints.claim.bind(checkpoints);
    let claims = 0;
    checkpoints.claim = async (...args) => {
      if (++claims < 3) throw new Error('the database is unavailable');
      return claim(...args);
    };
    const starting = relay(owner === undefined ? {} : { owner });
    starting.start();
    await starting.firstClaim();
    expect(claims).toBe(tries);
  });

  it('reports errors, and continues when they end', async () => {
    const { relay, commit, listen, recorder, broker } = await world();
    await listen();
    const errors: unknown[] = [];
    let failing = true;
    const running = relay({
      broker: seenThrough(broker, async () => {
        if (failing) throw new Error('the broker is down');
      }),
      onError: (error) => void errors.push(error),
    });
    running.start();
    const ids = await manyCommits(commit, 0, 3);
    await eventually(patience(60_000), () => expect(errors.length).toBeGreaterThan(2));
    failing = false;
    await recorder.got(ids);
    expect(firstSeen(recorder)).toEqual({ a: upTo(3), b: upTo(3), c: upTo(3) });
  });

  it('gives up the lease when it cannot send, so that a healthy relay continues', async () => {
    const { relay, commit, listen, recorder, broker, checkpoints, store } = await world();
    await listen();
    const claims: string[] = [];
    const claim = checkpoints.claim.bind(checkpoints);
    checkpoints.claim = async (...args) => {
      const lease = await claim(...args);
      if (lease) claims.push(args[1]);
      return lease;
    };
    const isFailing = Promise.withResolvers<void>();
    const failing = relay({
      broker: seenThrough(broker, async () => {
        throw new Error('no route to the broker');
      }),
      owner: 'failing',
      // Nothing but a release frees it within this test.
      leaseMs: 60 * 60_000,
      onError: () => isFailing.resolve(),
    });
    failing.start();
    const ids = await commit('a', counted(0));
    await isFailing.promise;
    const healthy = relay({ owner: 'healthy' });
    healthy.start();
    await recorder.got(ids);
    const before = claims.length;
    for (let n = 1; n <= 20; n++) {
      ids.push(...(await commit('a', counted(n))));
      await recorder.got(ids.slice(-1));
    }
    expect(claims.slice(before)).toEqual([]);
    expect(claims.at(-1)).toBe('healthy');
    await healthy.reached(await store.head());
    await healthy.stop();
    expect(await failing.position()).toBe(await store.head());
  });

  it('sends nothing if it lost the lease while it was opening its publisher', async () => {
    const { relay, commit, listen, recorder, broker, checkpoints } = await world();
    await listen();
    const sends: number[] = [];
    const claim = checkpoints.claim.bind(checkpoints);
    let claimed: Parameters<typeof claim> | undefined;
    checkpoints.claim = (...args) => claim(...(claimed = args));
    const slow: Pick<Broker, 'publisher'> = {
      async publisher(name) {
        const publisher = await broker.publisher(name);
        const at = sends.push(0) - 1;
        if (at === 0) await claim(...claimed!);
        return { close: () => publisher.close(), send: (messages) => ((sends[at]! += 1), publisher.send(messages)) };
      },
    };
    const running = relay({ broker: Object.assign(Object.create(broker) as Broker, slow) });
    const ids = await commit('a', counted(0));
    running.start();
    await recorder.got(ids);
    await running.stop();
    expect([sends[0], sends.at(-1)]).toEqual([0, 1]);
  });

  it('claims the lease of a relay that is gone when the log grows after a rest', async () => {
    const { relay, commit, listen, recorder, checkpoints, store } = await world();
    await listen();
    const gone = (await checkpoints.claim('relay.counting', 'gone', 60 * 60_000, 0))!;
    const refused = Promise.withResolvers<void>();
    const claim = checkpoints.claim.bind(checkpoints);
    checkpoints.claim = async (...args) => {
      const lease = await claim(...args);
      if (!lease) refused.resolve();
      return lease;
    };
    const resting = { noticesAtOnce: () => true, noticedHead: () => 0, grewAt: () => -Infinity };
    // Within this test, only growth ends its rest.
    const successor = relay({ store: Object.assign(Object.create(store) as typeof store, resting), leaseMs: 60 * 60_000 });
    successor.start();
    await refused.promise;
    await checkpoints.release('relay.counting', gone.epoch);
    await recorder.got(await commit('a', counted(0)));
  });

  it('rejects waiting callers if it stops first', async () => {
    const { relay } = await world();
    const running = relay();
    running.start();
    const waiting = running.reached(5).catch((error: unknown) => error);
    await running.stop();
    expect(await waiting).toBeInstanceOf(RelayStopped);
  });
});
