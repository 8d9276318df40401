import assert from 'node:assert/strict';
import { type ContractCase, log, logWith, saying, words } from './subject.ts';

export const once: readonly ContractCase[] = [
  {
    name: 'makes an append with a name once, whatever version the repeat rests on',
    async run({ store, again }) {
      const first = await store.append(saying('effect', { once: 'cause' }));
      await store.append(saying('next', { expected: 1 }));
      for (const from of [store, await again()]) {
        for (const expected of [0, 1, 2, 9]) {
          const repeat = await from.append(saying('effect again', { once: 'cause', expected }));
          assert.deepEqual(repeat, { version: 1, written: false, events: first.events });
        }
      }
      assert.deepEqual(words(await logWith(store, 'a', 2)), ['effect', 'next']);
    },
  },
  {
    name: 'makes an append with a name once among concurrent repeats',
    async run({ store, again }) {
      const other = await again();
      const repeats = Array.from({ length: 30 }, (_, i) =>
        (i % 2 ? store : other).append(saying(String(i), { once: 'cause', stream: `s${i % 3}` })),
      );
      const answers = (await Promise.allSettled(repeats)).flatMap((outcome) => (outcome.status === 'fulfilled' ? [outcome.value] : []));
      const written = answers.filter((answer) => answer.written);
      assert.equal(written.length, 1);
      for (const { events } of answers) assert.deepEqual(events, written[0]?.events);
      const streams = await Promise.all(['s0', 's1', 's2'].map((stream) => store.read(stream)));
      assert.deepEqual(words(streams.flat()), words(written));
    },
  },
  {
    name: 'makes an append with a name once over all streams, and tells names apart',
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
];
