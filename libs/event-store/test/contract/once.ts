import assert from 'node:assert/strict';
import { type Decider, refuse } from '@parlance/decider';
import { execute } from '../../src/execute.ts';
import { type ContractCase, log, logWith, metadata, type Said, said, saying, stored, words } from './subject.ts';

/** Accepts one command and refuses all later ones. */
const shy: Decider<string, Said, boolean> = {
  initialState: false,
  decide: (word, spoken) => (spoken ? refuse('conflict', 'spoken', 'A word was said before.') : [said(word)]),
  evolve: () => true,
};

export const once: readonly ContractCase[] = [
  {
    name: 'writes an append with a name once, whatever version the repeat is based on',
    async run({ store, again }) {
      await store.append(saying('effect', { once: 'cause' }));
      await store.append(saying('next', { expected: 1 }));
      await store.positionOf('a', 1);
      for (const from of [store, await again()]) {
        for (const expected of [0, 1, 2, 9]) {
          const { written, earlier, events } = await from.append(saying('effect again', { once: 'cause', expected }));
          assert.deepEqual([written, events], [false, []]);
          assert.deepEqual(earlier, [{ name: 'cause', stream: 'a', version: 1, position: 1 }]);
        }
      }
      assert.deepEqual(words(await logWith(store, 'a', 2)), ['effect', 'next']);
    },
  },
  {
    name: 'writes an append with a name once among concurrent repeats',
    async run({ store, again }) {
      const other = await again();
      const repeats = Array.from({ length: 30 }, (_, i) =>
        (i % 2 ? store : other).append(saying(String(i), { once: 'cause', stream: `s${i % 3}` })),
      );
      const answers = (await Promise.allSettled(repeats)).flatMap((outcome) => (outcome.status === 'fulfilled' ? [outcome.value] : []));
      const written = answers.filter((answer) => answer.written);
      assert.equal(written.length, 1);
      const streams = await Promise.all(['s0', 's1', 's2'].map((stream) => stored(store, stream)));
      const [effect, ...more] = streams.flat();
      assert.deepEqual([words([effect!]), more], [words(written), []]);
      for (const { earlier } of answers.filter((answer) => !answer.written)) {
        assert.deepEqual(
          earlier.map(({ name, stream, version }) => [name, stream, version]),
          [['cause', effect?.stream, 1]],
        );
      }
    },
  },
  {
    name: 'writes an append with a name once across all streams, and distinguishes names',
    async run({ store }) {
      await store.append(saying('effect', { once: 'cause' }));
      assert.equal((await store.append(saying('elsewhere', { once: 'cause', stream: 'b' }))).written, false);
      assert.equal((await store.append(saying('other', { once: 'Cause', stream: 'b' }))).written, true);
      assert.equal((await store.append(saying('nameless', { stream: 'c' }))).written, true);
      assert.equal((await store.append(saying('nameless too', { stream: 'd' }))).written, true);
      await store.positionOf('d', 1);
      assert.deepEqual(words(await log(store)).sort(), ['effect', 'nameless', 'nameless too', 'other']);
    },
  },
  {
    name: 'accepts several names, and writes nothing if one of them was used',
    async run({ store }) {
      await store.append(saying('two effects', { once: ['one', 'two', 'one'] }));
      const mixed = await store.append(saying('effects', { stream: 'b', once: ['three', 'two'] }));
      assert.deepEqual([mixed.written, mixed.earlier.map(({ name }) => name)], [false, ['two']]);
      const alone = await store.append(saying('effect', { stream: 'b', once: 'one' }));
      assert.deepEqual([alone.written, alone.version, alone.earlier[0]?.stream], [false, 1, 'a']);
      assert.equal((await store.append(saying('third', { stream: 'b', once: ['three'] }))).written, true);
      assert.deepEqual(words(await logWith(store, 'b', 1)), ['two effects', 'third']);
    },
  },
  {
    name: 'returns which names were used, and where',
    async run({ store, again }) {
      assert.deepEqual(await store.earlier(['one']), []);
      await store.append(saying('first', { once: ['one', 'two'] }));
      await store.append(saying('second', { expected: 1, once: 'three' }));
      await store.positionOf('a', 2);
      const found = await (await again()).earlier(['three', 'four', 'one']);
      assert.deepEqual(
        found.toSorted((one, other) => one.position - other.position),
        [
          { name: 'one', stream: 'a', version: 1, position: 1 },
          { name: 'three', stream: 'a', version: 2, position: 2 },
        ],
      );
      assert.deepEqual(await store.earlier([]), []);
    },
  },
  {
    name: 'treats a repeat as done even if its own effect would now refuse it',
    async run({ store }) {
      const order = (name: string) => execute(store, shy, { stream: 'a', command: 'hello', metadata, once: name });
      assert.equal((await order('cause')).written, true);
      const { written, state, version, earlier } = await order('cause');
      assert.deepEqual([written, state, version, earlier.map(({ name }) => name)], [false, true, 1, ['cause']]);
      await assert.rejects(order('another cause'), { code: 'spoken' });
    },
  },
  {
    name: 'deletes the names of commits before a position, and no others',
    async run({ store }) {
      for (const expected of [0, 1, 2, 3]) await store.append(saying('', { expected, once: [`once ${expected}`, `too ${expected}`] }));
      await store.positionOf('a', 4);
      for (const before of [3, 3]) while (await store.pruneOnce(before)) assert.ok(true);
      const names = [0, 1, 2, 3].map((expected) => `once ${expected}`);
      const remaining = await store.earlier(names);
      assert.deepEqual(remaining.map(({ name }) => name).sort(), ['once 2', 'once 3']);
      assert.equal((await store.append(saying('late', { expected: 4, once: 'too 0' }))).written, true);
      assert.equal((await store.append(saying('late', { expected: 5, once: 'too 2' }))).written, false);
    },
  },
];
