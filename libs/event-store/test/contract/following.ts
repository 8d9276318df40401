import assert from 'node:assert/strict';
import { VersionConflict } from '../../src/append.ts';
import { type Commit, type EventStore, StoreClosed } from '../../src/event-store.ts';
import { type ContractCase, log, logWith, saying, words } from './subject.ts';

const WRITERS = 64;
const EACH = 6;

async function writeMuch(stores: readonly EventStore[]): Promise<void> {
  await Promise.all(
    Array.from({ length: WRITERS }, async (_, writer) => {
      for (let expected = 0; expected < EACH; expected++) {
        const store = stores[(writer + expected) % stores.length]!;
        await store.append(saying(`${writer}.${expected}`, { stream: `s${writer}`, expected }));
      }
    }),
  );
}

/** Asserts positions 1, 2, 3 … and, within each stream, versions 1, 2, 3 … */
function assertInOrder(commits: readonly Commit[]): void {
  assert.deepEqual(
    commits.map(({ position }) => position),
    commits.map((_, index) => index + 1),
  );
  const versions = new Map<string, number>();
  for (const { stream, version } of commits) {
    assert.equal(version, (versions.get(stream) ?? 0) + 1, `the order of ${stream}`);
    versions.set(stream, version);
  }
}

export const following: readonly ContractCase[] = [
  {
    name: 'assigns positions without gaps, in the order of each stream',
    async run({ store }) {
      for (const expected of [0, 1, 2]) {
        for (const stream of ['a', 'b', 'c']) await store.append(saying(`${stream}${expected}`, { stream, expected }));
      }
      const commits = await logWith(store, 'c', 3);
      assert.equal(commits.length, 9);
      assertInOrder(commits);
      assert.equal(await store.head(), 9);
    },
  },
  {
    name: 'shows every commit once, in order, to a follower under load',
    async run({ store, again }) {
      const other = await again();
      const seen: Commit[] = [];
      const done = new AbortController();
      const follow = async () => {
        while (seen.length < WRITERS * EACH) {
          const after = seen.length;
          const next = await other.readAll(after, 50);
          seen.push(...next);
          assertInOrder(seen);
          if (next.length === 0) await other.grown(after, done.signal);
          done.signal.throwIfAborted();
        }
      };
      const load = writeMuch([store, other]).catch((error: unknown) => done.abort(error));
      await Promise.all([follow(), load]);
      assert.deepEqual(await log(store), seen);
      assert.equal(await store.head(), WRITERS * EACH);
    },
  },
  {
    name: 'leaves neither a trace nor a gap of a refused append',
    async run({ store }) {
      await store.append(saying('first'));
      const mixed = Array.from({ length: 20 }, (_, i) =>
        i % 2
          ? store.append(saying('refused')).catch((error: unknown) => assert.ok(error instanceof VersionConflict))
          : store.append(saying(`s${i}`, { stream: `s${i}` })),
      );
      await Promise.all(mixed);
      await store.append(saying('last', { expected: 1 }));
      const commits = await logWith(store, 'a', 2);
      assert.equal(commits.length, 12);
      assertInOrder(commits);
      assert.ok(!words(commits).includes('refused'));
    },
  },
  {
    name: 'continues reading from any position, up to the limit',
    async run({ store }) {
      for (let expected = 0; expected < 7; expected++) await store.append(saying(String(expected), { expected }));
      await store.positionOf('a', 7);
      assert.deepEqual(words(await store.readAll(0, 3)), ['0', '1', '2']);
      assert.deepEqual(words(await store.readAll(5, 3)), ['5', '6']);
      assert.deepEqual(await store.readAll(7, 3), []);
      assert.deepEqual(await store.readAll(100, 3), []);
    },
  },
  {
    name: 'returns the position of a version, when the log can be read up to it',
    async run({ store, again }) {
      const other = await again();
      assert.equal(await store.positionOf('a', 0), 0);
      await store.append(saying('before', { stream: 'b' }));
      let answered = 0;
      const early = other.positionOf('a', 3).finally(() => answered++);
      for (const expected of [0, 1, 2]) {
        assert.equal(answered, 0);
        await store.append(saying(String(expected), { expected }));
        const position = await store.positionOf('a', expected + 1);
        const [commit] = await store.readAll(position - 1, 1);
        assert.deepEqual([position, commit?.stream, commit?.version], [expected + 2, 'a', expected + 1]);
      }
      assert.deepEqual([await early, await other.positionOf('a', 1)], [4, 2]);
    },
  },
  {
    name: 'wakes readers that wait for it to grow',
    async run({ store, again }) {
      const { signal } = new AbortController();
      const woken = store.grown(0, signal);
      const elsewhere = (await again()).grown(0, signal);
      await store.append(saying('hello'));
      await Promise.all([woken, elsewhere]);
      await store.positionOf('a', 1);
      await store.grown(0, signal);
    },
  },
  {
    name: 'ends a wait with its signal, or when it is closed',
    async run({ store, again }) {
      const aborting = new AbortController();
      const wait = store.grown(0, aborting.signal);
      aborting.abort();
      await wait;
      await store.grown(0, aborting.signal);
      const other = await again();
      const waits = [other.grown(0, new AbortController().signal), assert.rejects(other.positionOf('a', 1), StoreClosed)];
      await other.close();
      await Promise.all(waits);
      await assert.rejects(other.append(saying('late')), StoreClosed);
    },
  },
];
