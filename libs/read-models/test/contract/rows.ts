import { deepStrictEqual, rejects, strictEqual } from 'node:assert/strict';
import { add, first, patch, put, remove, update } from '../../src/changes.ts';
import { type Case, heard, others, prepared, sums, things, write } from './stage.ts';
import { ChangeRefused, NotPrepared } from '../../src/errors.ts';
import type { Row } from '../../src/table.ts';

const none = { name: 'n', count: 0, cost: 0 };
const MOST = Number.MAX_SAFE_INTEGER;

/** Keys and texts that some store, somewhere, takes for something else. */
export const ODD = [
  '$set',
  '$',
  'a.b',
  '.',
  '__proto__',
  'constructor',
  '_id',
  '',
  ' ',
  '~1',
  '"',
  "'",
  '\\',
  '%',
  'ä€😀',
  '\uffff',
  '0',
  'a\u0000b',
];

export const rowCases: Readonly<Record<string, Case>> = {
  'returns a row that was put, and null if there is none': async (stage) => {
    const models = await prepared(stage);
    await write(models, put(things, 'a', { kind: 'x', size: 1 }));
    deepStrictEqual(await models.get(things, 'a'), { kind: 'x', size: 1 });
    strictEqual(await models.get(things, 'b'), null);
  },

  'replaces a whole row': async (stage) => {
    const models = await prepared(stage);
    await write(models, put(things, 'a', { kind: 'x', size: 1, note: 'old' }));
    await write(models, put(things, 'a', { kind: 'y' }));
    deepStrictEqual(await models.get(things, 'a'), { kind: 'y' });
  },

  'returns the existing rows among many keys': async (stage) => {
    const models = await prepared(stage);
    await write(models, put(things, 'a', { kind: 'x' }), put(things, 'b', { kind: 'y' }));
    deepStrictEqual(Object.fromEntries(await models.getMany(things, ['b', 'c', 'a', 'b'])), { a: { kind: 'x' }, b: { kind: 'y' } });
    strictEqual((await models.getMany(things, [])).size, 0);
  },

  'patches only the named fields, also with null': async (stage) => {
    const models = await prepared(stage);
    await write(models, put(things, 'a', { kind: 'x', size: 1, note: { deep: [1] } }));
    await write(models, patch(things, 'a', { size: null }));
    deepStrictEqual(await models.get(things, 'a'), { kind: 'x', size: null, note: { deep: [1] } });
    await write(models, patch(things, 'a', { note: { other: true } }));
    deepStrictEqual(await models.get(things, 'a'), { kind: 'x', size: null, note: { other: true } });
  },

  'does nothing when it patches a row that does not exist': async (stage) => {
    const models = await prepared(stage);
    await write(models, patch(things, 'a', { size: 2 }));
    strictEqual(await models.get(things, 'a'), null);
  },

  'removes a row, and does nothing if there is none': async (stage) => {
    const models = await prepared(stage);
    await write(models, put(things, 'a', { kind: 'x' }));
    await write(models, remove(things, 'a'), remove(things, 'b'));
    strictEqual(await models.get(things, 'a'), null);
  },

  'adds to the named fields, and creates the row if there is none': async (stage) => {
    const models = await prepared(stage);
    await write(models, add(sums, 'a', { count: 2 }, { name: 'n', cost: 7 }));
    await write(models, add(sums, 'a', { count: -5, cost: 1 }, { name: 'ignored' }));
    deepStrictEqual(await models.get(sums, 'a'), { name: 'n', count: -3, cost: 8 });
  },

  'keeps sums exact up to 2^53 - 1, and refuses a larger one': async (stage) => {
    const models = await prepared(stage);
    await write(models, put(sums, 'a', { ...none, count: MOST - 1 }), put(sums, 'b', { ...none, count: 2_147_483_647 }));
    await write(models, add(sums, 'a', { count: 1 }, none), add(sums, 'b', { count: 1 }, none));
    await rejects(write(models, add(sums, 'a', { count: 1 }, none)), ChangeRefused);
    await rejects(write(models, add(sums, 'a', { count: MOST }, none)), ChangeRefused);
    await rejects(write(models, add(sums, 'c', { count: 0.5 }, none)), ChangeRefused);
    strictEqual((await models.get(sums, 'a'))?.count, MOST);
    strictEqual((await models.get(sums, 'b'))?.count, 2_147_483_648);
    strictEqual(await models.get(sums, 'c'), null);
  },

  'refuses to add to a value that is not a whole number': async (stage) => {
    const models = await prepared(stage);
    for (const count of [null, '1', true, 1.5, 1e300]) {
      await write(models, put(sums, 'a', { ...none, count: count as number }));
      await rejects(write(models, add(sums, 'a', { count: 1 }, none)), ChangeRefused);
    }
  },

  'loses no addition or update of concurrent batches': async (stage) => {
    const models = await prepared(stage);
    const again = await stage.reopen();
    await again.prepare([heard]);
    const lines = Array.from({ length: 8 }, (_, number) => `t/${number}`);
    await models.apply({ from: await models.progress('heard'), steps: [], lines: Object.fromEntries(lines.map((line) => [line, '0'])) });
    const longer = (line: string) => update(others, 'b', (row) => ({ ...none, name: `${row?.name ?? ''}${line};` }));
    await Promise.all(
      lines.map(async (line, number) => {
        const store = number % 2 ? models : again;
        const changes = [add(others, 'a', { count: 1, cost: number }, { name: 'n' }), longer(line)];
        await store.apply({ from: await store.progress('heard', line), steps: [{ to: '1', changes }] });
      }),
    );
    deepStrictEqual(await models.get(others, 'a'), { name: 'n', count: 8, cost: 28 });
    deepStrictEqual((await models.get(others, 'b'))?.name.split(';').sort(), ['', ...lines].sort());
  },

  'passes an update the current row, including earlier changes of its batch': async (stage) => {
    const models = await prepared(stage);
    const seen: (Row | null)[] = [];
    const look = update(sums, 'a', (row) => (seen.push(row), row && { ...row, name: `${row.name}!` }));
    await write(models, look);
    strictEqual(await models.get(sums, 'a'), null);
    await write(models, put(sums, 'a', none));
    await write(models, add(sums, 'a', { count: 4 }, none), patch(sums, 'a', { name: 'm' }), look, patch(sums, 'a', { cost: 9 }), look);
    deepStrictEqual(seen, [null, { name: 'm', count: 4, cost: 0 }, { name: 'm!', count: 4, cost: 9 }]);
    deepStrictEqual(await models.get(sums, 'a'), { name: 'm!!', count: 4, cost: 9 });
    await write(
      models,
      update(sums, 'a', () => null),
      add(sums, 'a', { count: 1 }, none),
    );
    deepStrictEqual(await models.get(sums, 'a'), { ...none, count: 1 });
  },

  'counts each item once, in one batch or in many, and again after it was removed': async (stage) => {
    const models = await prepared(stage);
    const seen = (key: string) => first(things, key, { kind: 'seen' }, [add(sums, 'all', { count: 1 }, { name: 'n', cost: 0 })]);
    await write(models, seen('a'), seen('b'), seen('a'));
    await write(models, seen('a'), seen('c'));
    deepStrictEqual(await models.get(sums, 'all'), { name: 'n', count: 3, cost: 0 });
    await write(
      models,
      patch(things, 'a', { size: 1 }),
      remove(things, 'a'),
      seen('a'),
      put(things, 'd', { kind: 'x' }),
      seen('d'),
      seen('b'),
    );
    deepStrictEqual(await models.get(sums, 'all'), { name: 'n', count: 4, cost: 0 });
    deepStrictEqual(await models.get(things, 'a'), { kind: 'seen' });
    deepStrictEqual(await models.get(things, 'd'), { kind: 'x' });
  },

  'puts no row whose further changes are refused': async (stage) => {
    const models = await prepared(stage);
    const wrong = [add(sums, 'all', { count: 0.5 }, none), put(others, 'a', none), add(sums, 'a', { count: MOST }, none)];
    await write(models, put(sums, 'a', { ...none, count: 1 }));
    for (const change of wrong) await rejects(write(models, first(things, 'a', { kind: 'x' }, [change])), ChangeRefused);
    strictEqual(await models.get(things, 'a'), null);
  },

  'counts an item once if concurrent batches name it': async (stage) => {
    const models = await prepared(stage);
    const again = await stage.reopen();
    await again.prepare([heard]);
    const lines = Array.from({ length: 8 }, (_, number) => `t/${number}`);
    await models.apply({ from: await models.progress('heard'), steps: [], lines: Object.fromEntries(lines.map((line) => [line, '0'])) });
    await Promise.all(
      lines.map(async (line, number) => {
        const store = number % 2 ? models : again;
        const changes = [first(others, 'part', none, [add(others, 'all', { count: 1 }, { name: 'n', cost: 0 })])];
        await store.apply({ from: await store.progress('heard', line), steps: [{ to: '1', changes }] });
      }),
    );
    deepStrictEqual(await models.get(others, 'all'), { name: 'n', count: 1, cost: 0 });
  },

  'makes the changes of a batch in order': async (stage) => {
    const models = await prepared(stage);
    await write(
      models,
      put(sums, 'a', none),
      add(sums, 'a', { count: 1 }, none),
      patch(sums, 'a', { name: 'p' }),
      remove(sums, 'b'),
      put(sums, 'b', none),
      remove(sums, 'b'),
    );
    deepStrictEqual(await models.get(sums, 'a'), { name: 'p', count: 1, cost: 0 });
    strictEqual(await models.get(sums, 'b'), null);
    await write(
      models,
      patch(sums, 'a', { name: 'q' }),
      remove(sums, 'a'),
      add(sums, 'a', { count: 2 }, { name: 'r', cost: 0 }),
      patch(sums, 'c', { name: 's' }),
    );
    deepStrictEqual(await models.get(sums, 'a'), { name: 'r', count: 2, cost: 0 });
    strictEqual(await models.get(sums, 'c'), null);
  },

  'keeps unusual keys, texts and names in maps unchanged': async (stage) => {
    const models = await prepared(stage);
    const map = Object.fromEntries(ODD.map((odd) => [odd, { [odd]: [odd, null, 1.5, -7, true, {}, []] }]));
    const row = { kind: 'a.b', size: 0, note: map };
    await write(models, ...ODD.map((odd) => put(things, odd, { ...row, kind: odd })));
    for (const odd of ODD) deepStrictEqual(await models.get(things, odd), { ...row, kind: odd });
    strictEqual((await models.getMany(things, ODD)).size, ODD.length);
    await write(models, ...ODD.map((odd) => patch(things, odd, { note: { [odd]: map } })));
    for (const odd of ODD) deepStrictEqual((await models.get(things, odd))?.note, { [odd]: map });
  },

  'keeps numbers unchanged': async (stage) => {
    const models = await prepared(stage);
    const note = [0, -1, 2_147_483_648, MOST, -MOST, 0.1, 1e-7, 1e300, 5e-324];
    await write(models, put(things, 'a', { kind: null, note }));
    deepStrictEqual((await models.get(things, 'a'))?.note, note);
  },

  'refuses tables and projections that were not prepared': async (stage) => {
    await rejects(stage.models.get(things, 'a'), NotPrepared);
    await rejects(stage.models.progress('mine'), NotPrepared);
    const models = await prepared(stage);
    await rejects(models.progress('mine', 'topic/9'), NotPrepared);
  },
};
