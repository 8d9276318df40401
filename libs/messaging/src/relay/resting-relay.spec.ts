import { describe, expect, it, jest } from '@jest/globals';
import { patience } from '@parlance/testing';
import { eventually } from '../../test/contract/harness.ts';
import { manyCommits, world } from '../../test/relays.ts';

describe('a relay without the lease, while the log rests', () => {
  /** A relay that cannot claim the lease of another one, which has sent the log up to a position. `claims` counts its tries. */
  async function second({ sent, leaseMs }: { sent: 'all' | 'all but one' | 'nothing'; leaseMs: number }) {
    const made = await world();
    const { relay, commit, checkpoints, store } = made;
    const ids = await manyCommits(commit, 0, 2);
    const head = await store.head();
    const first = (await checkpoints.claim('relay.counting', 'first', 60 * 60_000, 0))!;
    const upTo = { all: head, 'all but one': head - 1, nothing: 0 }[sent];
    if (upTo > 0) await checkpoints.advance('relay.counting', first.epoch, upTo, 60 * 60_000);
    const seen = { claims: 0, rests: 0, reads: 0, head };
    const [claim, position] = [checkpoints.claim.bind(checkpoints), checkpoints.position.bind(checkpoints)];
    let has = false;
    checkpoints.claim = async (...args) => {
      const lease = await claim(...args);
      seen.claims++;
      has = lease !== null;
      return lease;
    };
    checkpoints.position = (name) => (seen.reads++, position(name));
    const resting: Partial<typeof store> = {
      noticesAtOnce: () => true,
      noticedHead: () => seen.head,
      grewAt: () => -Infinity,
      grown: (after, signal) => {
        if (!has) seen.rests++;
        return store.grown(after, signal);
      },
    };
    relay({ store: Object.assign(Object.create(store) as typeof store, resting), leaseMs }).start();
    return { ...made, ids, first, seen };
  }
  const claimed = (seen: { readonly claims: number }, times: number) =>
    eventually(patience(60_000), () => expect(seen.claims).toBeGreaterThanOrEqual(times));

  it.each(['nothing', 'all but one'] as const)(
    'does not rest while %s is sent, so that it sends the rest when the lease is free',
    async (sent) => {
      const { ids, first, seen, checkpoints, listen, recorder } = await second({ sent, leaseMs: 200 });
      await listen();
      await claimed(seen, 3);
      await checkpoints.release('relay.counting', first.epoch);
      await recorder.got(sent === 'nothing' ? ids : ids.slice(-1));
      expect(seen.rests).toBe(0);
    },
  );

  it('reads the position once while everything is sent', async () => {
    const { seen } = await second({ sent: 'all', leaseMs: 20 });
    await claimed(seen, 4);
    expect(seen.reads).toBe(1);
    expect(seen.rests).toBeGreaterThan(0);
  });

  it('reads the position at once after the log has grown', async () => {
    const clock = jest.spyOn(performance, 'now').mockReturnValue(1_000_000);
    try {
      const { seen } = await second({ sent: 'nothing', leaseMs: 20 });
      await claimed(seen, 3);
      seen.head++;
      const before = seen.claims;
      await claimed(seen, before + 3);
      expect(seen.reads).toBe(2);
    } finally {
      clock.mockRestore();
    }
  });

  it('reads the position rarely while something is unsent, and rests when it is sent', async () => {
    const clock = jest.spyOn(performance, 'now').mockReturnValue(1_000_000);
    try {
      const { seen, first, checkpoints, store } = await second({ sent: 'nothing', leaseMs: 20 });
      await claimed(seen, 5);
      expect(seen).toMatchObject({ rests: 0, reads: 1 });
      await checkpoints.advance('relay.counting', first.epoch, await store.head(), 60 * 60_000);
      clock.mockReturnValue(2_000_000);
      await eventually(patience(60_000), () => expect(seen.rests).toBeGreaterThan(0));
      expect(seen.reads).toBe(2);
    } finally {
      clock.mockRestore();
    }
  });
});

describe('a relay with the lease, while the log rests', () => {
  it('stops at once', async () => {
    const { relay, commit, store, listen, recorder } = await world();
    const ids = await manyCommits(commit, 0, 2);
    const head = await store.head();
    const resting: Partial<typeof store> = {
      noticesAtOnce: () => true,
      noticedHead: () => head,
      grewAt: () => -Infinity,
      grown: async (after, signal) => {
        while (!signal.aborted) await store.grown(after, signal);
      },
    };
    const only = relay({ store: Object.assign(Object.create(store) as typeof store, resting), leaseMs: 20_000 });
    await listen();
    only.start();
    await recorder.got(ids);
    const begun = performance.now();
    await only.stop();
    // A relay that waits until the log grows waits for three leases.
    expect(performance.now() - begun).toBeLessThan(20_000);
  });
});
