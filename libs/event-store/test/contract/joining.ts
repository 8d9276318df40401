import assert from 'node:assert/strict';
import type { Commit } from '../../src/event-store.ts';
import { VersionConflict } from '../../src/append.ts';
import { type ContractCase, log, saying, words } from './subject.ts';

/** Cases for appends with further writes in their transaction, if the store supports them. */
export const joining: readonly ContractCase[] = [
  {
    name: 'reports whether companions can join an append, and refuses them if they cannot',
    async run({ store, joined }) {
      assert.equal(store.joinsCompanions, joined !== undefined);
      if (store.joinsCompanions) return;
      await assert.rejects(store.append(saying('hello', { companions: [() => undefined] })), RangeError);
    },
  },
  {
    name: 'writes companions with the append',
    async run({ store, joined }) {
      if (!joined) return;
      await store.append(saying('hello', { companions: [joined.note('one'), joined.note('two')] }));
      assert.deepEqual(joined.notes(), ['one', 'two']);
    },
  },
  {
    name: 'writes no companion of an append that is refused, conflicts, or has a used name',
    async run({ store, joined }) {
      if (!joined) return;
      await store.append(saying('first', { once: 'cause' }));
      const companions = [joined.note('note')];
      await assert.rejects(store.append(saying('late', { companions })), VersionConflict);
      assert.equal((await store.append(saying('again', { expected: 1, once: 'cause', companions }))).written, false);
      await assert.rejects(store.append(saying('x'.repeat(5_000_000), { expected: 1, companions })), { code: 'commit_too_large' });
      assert.deepEqual([joined.notes(), words(await log(store))], [[], ['first']]);
    },
  },
  {
    name: 'rolls the append back if a companion throws, and rejects with its error',
    async run({ store, joined }) {
      if (!joined) return;
      const failure = new Error('not now');
      const fail = () => {
        throw failure;
      };
      const doomed = store.append(saying('doomed', { once: 'cause', companions: [joined.note('note'), fail] }));
      const other = store.append(saying('other', { stream: 'b' }));
      await assert.rejects(doomed, (error) => error === failure);
      assert.equal((await other).position, 1);
      assert.deepEqual([joined.notes(), await store.earlier(['cause'])], [[], []]);
      assert.equal((await store.append(saying('retried', { once: 'cause' }))).written, true);
    },
  },
  {
    name: 'runs the function `beside` in the transaction of each append, with the commit as readers will see it',
    async run({ store, joined }) {
      if (!joined) return;
      const seen: Commit[] = [];
      joined.beside((transaction, commit) => {
        seen.push(commit);
        joined.note(`beside ${commit.position}`)(transaction);
      });
      await store.append(saying('one', { once: 'cause' }));
      await assert.rejects(store.append(saying('late')), VersionConflict);
      await store.append(saying('repeat', { expected: 1, once: 'cause' }));
      await store.append(saying('two', { expected: 1 }));
      assert.deepEqual(joined.notes(), ['beside 1', 'beside 2']);
      assert.deepEqual(seen, await log(store));
    },
  },
  {
    name: 'rolls the append back if the function `beside` throws, and continues with the next append',
    async run({ store, joined }) {
      if (!joined) return;
      const failure = new Error('not now');
      joined.beside((transaction, commit) => {
        joined.note(commit.stream)(transaction);
        if (commit.stream === 'a') throw failure;
      });
      const doomed = store.append(saying('doomed', { companions: [joined.note('note')] }));
      const other = store.append(saying('other', { stream: 'b' }));
      await assert.rejects(doomed, (error) => error === failure);
      await other;
      assert.deepEqual([joined.notes(), words(await log(store))], [['b'], ['other']]);
    },
  },
];
