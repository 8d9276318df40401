import assert from 'node:assert/strict';
import { MAX_COMMIT_BYTES, VersionConflict } from '../../src/append.ts';
import { Refusal } from '@parlance/decider';
import { type ContractCase, logWith, metadata, said, saying, stored, words } from './subject.ts';

export const appending: readonly ContractCase[] = [
  {
    name: 'returns the appended events with their metadata',
    async run({ store }) {
      const rich = {
        ...metadata,
        actor: null,
        causationId: 'event-0',
        traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01',
      };
      const { events, version, written } = await store.append(saying('hello', { metadata: rich }));
      assert.deepEqual([version, written, words([{ events }])], [1, true, ['hello']]);
      const [commit, ...others] = await stored(store, 'a');
      assert.deepEqual(others, []);
      assert.deepEqual(commit, { stream: 'a', version: 1, position: commit?.position, events, metadata: rich });
      assert.deepEqual(await logWith(store, 'a', 1), [{ ...commit, position: 1 }]);
    },
  },
  {
    name: 'counts the appends of each stream from one',
    async run({ store }) {
      for (const expected of [0, 1, 2]) {
        assert.equal((await store.append(saying(`a${expected}`, { expected }))).version, expected + 1);
        assert.equal((await store.append(saying(`b${expected}`, { expected, stream: 'a@0000000001' }))).version, expected + 1);
      }
      assert.deepEqual(words(await stored(store, 'a')), ['a0', 'a1', 'a2']);
      assert.deepEqual(words(await stored(store, 'a@0000000001')), ['b0', 'b1', 'b2']);
      assert.deepEqual(
        (await stored(store, 'a', 1)).map(({ version }) => version),
        [2, 3],
      );
      assert.deepEqual([await stored(store, 'a', 3), await stored(store, 'absent')], [[], []]);
    },
  },
  {
    name: 'refuses an append based on an older version',
    async run({ store }) {
      await store.append(saying('first'));
      await store.append(saying('second', { expected: 1 }));
      for (const expected of [0, 1]) await assert.rejects(store.append(saying('late', { expected })), VersionConflict);
      assert.deepEqual(words(await stored(store, 'a')), ['first', 'second']);
    },
  },
  {
    name: 'refuses an append based on a version that does not exist',
    async run({ store }) {
      await assert.rejects(store.append(saying('early', { expected: 1 })), VersionConflict);
      await store.append(saying('first'));
      for (const expected of [2, 7]) await assert.rejects(store.append(saying('early', { expected })), { stream: 'a', expected });
      assert.deepEqual(words(await stored(store, 'a')), ['first']);
    },
  },
  {
    name: 'refuses an append without events, or with an invalid version',
    async run({ store }) {
      await assert.rejects(store.append(saying('', { events: [] })), RangeError);
      for (const expected of [-1, 0.5, Number.NaN]) await assert.rejects(store.append(saying('', { expected })), RangeError);
    },
  },
  {
    name: 'lets exactly one of fifty writers at one version win',
    async run({ store, again }) {
      const other = await again();
      for (const expected of [0, 1, 2]) {
        const attempts = Array.from({ length: 50 }, (_, i) => (i % 2 ? store : other).append(saying(`${expected}.${i}`, { expected })));
        const outcomes = await Promise.allSettled(attempts);
        const winners = outcomes.flatMap((outcome) => (outcome.status === 'fulfilled' ? words([outcome.value]) : []));
        const losers = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason as unknown] : []));
        assert.equal(winners.length, 1);
        assert.ok(losers.every((reason) => reason instanceof VersionConflict));
        assert.deepEqual(words(await stored(store, 'a', expected)), winners);
      }
    },
  },
  {
    name: 'keeps the events of an append complete and in order',
    async run({ store }) {
      const many = Array.from({ length: 200 }, (_, i) => said(String(i)));
      const { events } = await store.append(saying('', { events: many }));
      assert.equal(new Set(events.map(({ id }) => id)).size, 200);
      assert.ok(events.every(({ id, schema }) => /^[0-9A-HJKMNP-TV-Z]{26}$/.test(id) && schema === 1));
      const [commit] = await stored(store, 'a');
      assert.deepEqual(commit?.events, events);
      assert.deepEqual(words(await logWith(store, 'a', 1)), words([{ events: many.map((event) => ({ id: '', schema: 1, event })) }]));
    },
  },
  {
    name: 'returns every key and character unchanged',
    async run({ store }) {
      const odd = JSON.parse(
        '{"type":"Odd","$set":{"a.b":1},"":"empty","__proto__":{"x":1},"constructor":2,"nul":"a\\u0000b","text":"ü😀\\u2028\\ud800","n":[1e-7,9007199254740991,-0.5,null,true,[]]}',
      ) as { type: string };
      const stream = "s'; -- $ü😀\u0000.x";
      await store.append(saying('', { stream, events: [odd], once: "once'$.ü\u0000" }));
      const [commit] = await stored(store, stream);
      assert.equal(JSON.stringify(commit?.events[0]?.event), JSON.stringify(odd));
      assert.equal((await logWith(store, stream, 1))[0]?.stream, stream);
    },
  },
  {
    name: 'has stored an append when it resolves',
    async run({ store, again }) {
      const other = await again();
      for (let expected = 0; expected < 5; expected++) {
        await store.append(saying(String(expected), { expected }));
        assert.equal((await stored(other, 'a')).length, expected + 1);
      }
    },
  },
  {
    name: 'reports whether a stream continues after a page',
    async run({ store }) {
      for (const expected of [0, 1, 2]) await store.append(saying(String(expected), { expected }));
      const page = async (after?: number, commits?: number, bytes?: number) => {
        const { commits: found, more } = await store.read('a', after, commits, bytes);
        return [words(found), more];
      };
      assert.deepEqual(await page(), [['0', '1', '2'], false]);
      assert.deepEqual(await page(0, 2), [['0', '1'], true]);
      assert.deepEqual(await page(1, 10, 1), [['1'], true]);
      assert.deepEqual(await page(2, 2), [['2'], false]);
      assert.deepEqual(await page(3), [[], false]);
    },
  },
  {
    name: 'refuses a commit that is too large, and keeps nothing of it or its name',
    async run({ store }) {
      // Each ü has two bytes. The JSON around the text has less than 1,000.
      const text = (bytes: number) => 'ü'.repeat(bytes / 2);
      await assert.rejects(
        store.append(saying(text(MAX_COMMIT_BYTES), { once: 'cause' })),
        (error) => error instanceof Refusal && error.kind === 'too_large' && error.code === 'commit_too_large',
      );
      assert.deepEqual([await stored(store, 'a'), await store.earlier(['cause'])], [[], []]);
      await store.append(saying(text(MAX_COMMIT_BYTES - 1_000), { once: 'cause' }));
      assert.equal((await stored(store, 'a')).length, 1);
    },
  },
];
