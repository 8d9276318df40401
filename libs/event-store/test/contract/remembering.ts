import assert from 'node:assert/strict';
import type { Decider } from '@parlance/decider';
import { type Commit, SHAPES_KEPT_FOR } from '../../src/event-store.ts';
import { execute } from '../../src/execute.ts';
import { stateOf } from '../../src/state.ts';
import { NewerEvent, Upcasters } from '../../src/upcasting.ts';
import { type ContractCase, logWith, metadata, type Said, said, saying, stored } from './subject.ts';

/** Concatenates words. Its state shows where folding began. */
const scribe: Decider<string, Said, string> = {
  initialState: '',
  decide: (word) => [said(word)],
  evolve: (text, { words: more }) => `${text}${more} `,
};

export const remembering: readonly ContractCase[] = [
  {
    name: 'has everything after it is opened again',
    async run({ store, again }) {
      for (let expected = 0; expected < 20; expected++)
        await store.append(saying(String(expected), { expected, once: `once ${expected}` }));
      const before = await logWith(store, 'a', 20);
      await store.close();
      const other = await again();
      assert.deepEqual(await logWith(other, 'a', 20), before);
      assert.deepEqual(await stored(other, 'a'), before);
      assert.equal((await other.append(saying('next', { expected: 20 }))).version, 21);
      assert.equal(await other.positionOf('a', 21), 21);
    },
  },
  {
    name: 'keeps the newest snapshot of each shape',
    async run({ store, again }) {
      assert.equal(await store.loadSnapshot('a', 'v1'), null);
      const first = { version: 3, shape: 'v1', state: { 'a.b': [1, null], $x: 'ü\u0000' } };
      await store.saveSnapshot('a', first);
      assert.deepEqual(await store.loadSnapshot('a', 'v1'), first);
      await store.saveSnapshot('a', { version: 2, shape: 'v1', state: 'late' });
      await store.saveSnapshot('a', { version: 4, shape: 'v2', state: 'text' });
      const other = await again();
      assert.deepEqual(await other.loadSnapshot('a', 'v1'), first);
      assert.deepEqual(await other.loadSnapshot('a', 'v2'), { version: 4, shape: 'v2', state: 'text' });
      await store.saveSnapshot('a', { version: 5, shape: 'v2', state: 'newer' });
      assert.deepEqual(await other.loadSnapshot('a', 'v2'), { version: 5, shape: 'v2', state: 'newer' });
      assert.equal(await store.loadSnapshot('b', 'v1'), null);
    },
  },
  {
    name: 'deletes snapshots of a shape that is no longer saved',
    async run({ store }) {
      await store.saveSnapshot('a', { version: 3, shape: 'v1', state: 'old' });
      await store.saveSnapshot('b', { version: 3, shape: 'v1', state: 'of another stream' });
      await store.saveSnapshot('a', { version: 3 + SHAPES_KEPT_FOR, shape: 'v2', state: 'new' });
      assert.equal((await store.loadSnapshot('a', 'v1'))?.state, 'old');
      await store.saveSnapshot('a', { version: 4 + SHAPES_KEPT_FOR, shape: 'v2', state: 'new' });
      assert.equal(await store.loadSnapshot('a', 'v1'), null);
      assert.equal((await store.loadSnapshot('b', 'v1'))?.state, 'of another stream');
    },
  },
  {
    name: 'folds from a snapshot of the current shape, and from no other',
    async run({ store }) {
      const shaped = (shape: string) => ({ ...scribe, snapshots: { every: 100, shape } });
      for (const command of ['one', 'two']) await execute(store, shaped('v1'), { stream: 'a', command, metadata });
      await store.saveSnapshot('a', { version: 1, shape: 'v1', state: '[snapshot] ' });
      assert.equal((await stateOf(store, shaped('v1'), 'a')).state, '[snapshot] two ');
      assert.equal((await stateOf(store, shaped('v2'), 'a')).state, 'one two ');
    },
  },
  {
    name: 'upgrades old events to the current schema, and marks new ones with it',
    async run({ store, again }) {
      await store.append(saying('HELLO', { events: [said('HELLO'), { type: 'Left' }] }));
      const newer = await again(
        new Upcasters({
          Said: [({ words: text, ...rest }) => ({ ...rest, text }), ({ text, ...rest }) => ({ ...rest, text: String(text).toLowerCase() })],
        }),
      );
      await newer.append(saying('', { expected: 1, events: [{ type: 'Said', text: 'new' } as { type: string }] }));
      const present = [
        { schema: 3, event: { type: 'Said', text: 'hello' } },
        { schema: 1, event: { type: 'Left' } },
        { schema: 3, event: { type: 'Said', text: 'new' } },
      ];
      const bare = (commits: readonly Commit[]) => commits.flatMap(({ events }) => events.map(({ schema, event }) => ({ schema, event })));
      assert.deepEqual(bare(await stored(newer, 'a')), present);
      assert.deepEqual(bare(await logWith(newer, 'a', 2)), present);
      // Stored events are not changed, and a program that does not know the newer schema refuses them.
      assert.deepEqual((await store.readAll(0, 1))[0]?.events[0]?.event, said('HELLO'));
      await assert.rejects(store.read('a', 1), NewerEvent);
    },
  },
];
