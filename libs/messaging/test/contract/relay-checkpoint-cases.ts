import { deepStrictEqual, equal, ok } from 'node:assert/strict';
import { NEWER_RELEASE_KEEPS_MS, type RelayCheckpoints } from '../../src/relay/relay-checkpoints.ts';
import { type Case, fresh } from './harness.ts';

/** `open` may be called several times, for several processes over the same state. */
export interface CheckpointsHarness {
  open(): Promise<RelayCheckpoints>;
  /** Advances the clock of the database. */
  elapse(ms: number): Promise<void>;
}

/** Long enough that it does not expire by itself while a case runs. */
const ttl = 600_000;
const [older, newer] = [2_000, 3_000];

export const relayCheckpointsContract: readonly Case<CheckpointsHarness>[] = [
  {
    name: 'starts a relay at the beginning, and gives the lease to one owner at a time',
    async run({ open, elapse }) {
      const [one, two] = [await open(), await open()];
      const relay = fresh('relay');
      const lease = await one.claim(relay, 'one', ttl, 0);
      equal(lease?.position, 0);
      await elapse(ttl / 2);
      equal(await two.claim(relay, 'two', ttl, 0), null);
      ok(await two.claim(fresh('relay'), 'two', ttl, 0), 'another relay is another lease');
    },
  },
  {
    name: 'gives the lease to exactly one of many concurrent claimants',
    async run({ open }) {
      const relay = fresh('relay');
      const all = await Promise.all([1, 2, 3].map(() => open()));
      const leases = await Promise.all(Array.from({ length: 12 }, (_, n) => all[n % 3]?.claim(relay, `owner${n}`, ttl, 0)));
      equal(leases.filter(Boolean).length, 1);
    },
  },
  {
    name: 'gives an expired lease to the next claimant, with a newer epoch and the current position',
    async run({ open, elapse }) {
      const checkpoints = await open();
      const relay = fresh('relay');
      const first = await checkpoints.claim(relay, 'one', ttl, 0);
      ok(first && (await checkpoints.advance(relay, first.epoch, 41, ttl)));
      await elapse(ttl);
      const second = await checkpoints.claim(relay, 'two', ttl, 0);
      ok(second && second.epoch > first.epoch);
      equal(second.position, 41);
      equal(await checkpoints.advance(relay, first.epoch, 99, ttl), false, 'the former owner is too late');
      await checkpoints.release(relay, first.epoch);
      equal(await checkpoints.claim(relay, 'three', ttl, 0), null, 'nor can it free what it no longer owns');
      ok(await checkpoints.advance(relay, second.epoch, 42, ttl));
      await elapse(ttl);
      equal((await checkpoints.claim(relay, 'three', ttl, 0))?.position, 42);
    },
  },
  {
    name: 'renews the lease with each advance, even if it had expired and nobody had claimed it',
    async run({ open, elapse }) {
      const checkpoints = await open();
      const relay = fresh('relay');
      const lease = await checkpoints.claim(relay, 'one', ttl, 0);
      await elapse(3 * ttl);
      ok(lease && (await checkpoints.advance(relay, lease.epoch, 1, ttl)));
      await elapse(ttl / 2);
      equal(await checkpoints.claim(relay, 'two', ttl, 0), null);
    },
  },
  {
    name: 'never moves a position back',
    async run({ open }) {
      const checkpoints = await open();
      const relay = fresh('relay');
      const lease = await checkpoints.claim(relay, 'one', ttl, 0);
      ok(lease);
      ok(await checkpoints.advance(relay, lease.epoch, 7, ttl));
      ok(await checkpoints.advance(relay, lease.epoch, 3, ttl));
      equal((await checkpoints.claim(relay, 'one', ttl, 0))?.position, 7);
    },
  },
  {
    name: 'gives the owner its lease again with a new epoch, which ends the former one',
    async run({ open }) {
      const checkpoints = await open();
      const relay = fresh('relay');
      const first = await checkpoints.claim(relay, 'one', ttl, 0);
      const second = await checkpoints.claim(relay, 'one', ttl, 0);
      ok(first && second && second.epoch > first.epoch);
      equal(await checkpoints.advance(relay, first.epoch, 1, ttl), false);
    },
  },
  {
    name: 'gives a released lease to the next claimant at once, and keeps the position for other processes',
    async run({ open }) {
      const [one, two] = [await open(), await open()];
      const relay = fresh('relay');
      const lease = await one.claim(relay, 'one', ttl, 0);
      ok(lease && (await one.advance(relay, lease.epoch, 5, ttl)));
      await one.release(relay, lease.epoch);
      const next = await two.claim(relay, 'two', ttl, 0);
      deepStrictEqual(next?.position, 5);
    },
  },
  {
    name: 'returns the position to processes that do not hold the lease',
    async run({ open }) {
      const [one, two] = [await open(), await open()];
      const relay = fresh('relay');
      equal(await two.position(relay), 0);
      const lease = await one.claim(relay, 'one', ttl, 0);
      ok(lease && (await one.advance(relay, lease.epoch, 5, ttl)));
      equal(await two.position(relay), 5);
      equal(await two.position(fresh('relay')), 0);
    },
  },
  {
    name: 'gives the lease of an older release to a newer one at once',
    async run({ open }) {
      const checkpoints = await open();
      const relay = fresh('relay');
      const first = await checkpoints.claim(relay, 'old', ttl, older);
      ok(first && (await checkpoints.advance(relay, first.epoch, 5, ttl)));
      const next = await checkpoints.claim(relay, 'new', ttl, newer);
      equal(next?.position, 5);
      equal(await checkpoints.advance(relay, first.epoch, 6, ttl), false);
    },
  },
  {
    name: 'keeps the lease from an older release for a minute after a newer one has lost or released it',
    async run({ open, elapse }) {
      const checkpoints = await open();
      for (const end of ['lost', 'released'] as const) {
        const relay = fresh('relay');
        const lease = await checkpoints.claim(relay, 'new', ttl, newer);
        ok(lease);
        equal(await checkpoints.claim(relay, 'old', ttl, older), null);
        if (end === 'lost') await elapse(ttl);
        else await checkpoints.release(relay, lease.epoch);
        await elapse(NEWER_RELEASE_KEEPS_MS / 2);
        equal(await checkpoints.claim(relay, 'old', ttl, older), null, end);
        await elapse(NEWER_RELEASE_KEEPS_MS / 2);
        ok(await checkpoints.claim(relay, 'old', ttl, older), end);
        equal(await checkpoints.claim(relay, 'as old', ttl, older), null, 'the lease is of the older release now');
      }
    },
  },
];
