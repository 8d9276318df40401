import { deepStrictEqual, ok, rejects, strictEqual } from 'node:assert/strict';
import fc from 'fast-check';
import { add, patch, put, remove } from '../../src/changes.ts';
import { ODD } from './rows.ts';
import { type Case, prepared, type Thing, things, write } from './stage.ts';
import { BadCursor, ChangeRefused, NoSuchIndex } from '../../src/errors.ts';
import { compare } from '../../src/query.ts';
import type { Cursor, Page, Query, ReadModels } from '../../src/read-models.ts';
import type { Scalar } from '../../src/table.ts';

type Rows = Map<string, Thing>;

const scalar: fc.Arbitrary<Scalar> = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom(null, true, 'a', 0) },
  { weight: 2, arbitrary: fc.constantFrom(false, 'b', '', '\uffff', '😀', 1, -1, 1.5) },
  fc.integer(),
  fc.string({ maxLength: 3 }),
);
const thing = fc.record({ kind: scalar, size: fc.oneof(fc.integer({ min: -1, max: 1 }), fc.constant(null)) }, { requiredKeys: ['kind'] });
const key = fc.oneof(fc.string({ maxLength: 3 }), fc.constantFrom(...ODD));
const rowsOf = fc.uniqueArray(fc.tuple(key, thing), { maxLength: 30, selector: ([name]) => name }).map((entries): Rows => new Map(entries));
const order = fc.constantFrom<'asc' | 'desc'>('asc', 'desc');
const size = fc.integer({ min: 1, max: 12 });

const RANK: Readonly<Record<string, number>> = { object: 0, number: 1, string: 2, boolean: 3 };

/** The order of an index, computed independently of the adapters. */
function inOrder(a: Scalar, b: Scalar): number {
  const rank = RANK[typeof a]! - RANK[typeof b]!;
  return rank !== 0 || a === null || b === null ? rank : compare(a, b);
}

function sorted(rows: Rows, fields: readonly (keyof Thing)[], direction: 'asc' | 'desc'): string[] {
  const values = ([name, row]: [string, Thing]) => [...fields.map((field) => (row[field] ?? null) as Scalar), name];
  const found = [...rows].map(values);
  found.sort((a, b) => a.map((value, place) => inOrder(value, b[place]!)).find((difference) => difference !== 0) ?? 0);
  const names = found.map((one) => one.at(-1) as string);
  return direction === 'asc' ? names : names.reverse();
}

/** Reads all pages of a query in order. `between` runs between two pages. */
async function walk(models: ReadModels, query: Query, between: (page: number) => Promise<void> = async () => undefined): Promise<string[]> {
  const found: string[] = [];
  let after: Cursor | undefined;
  for (let page = 1; ; page += 1) {
    const { rows, keys, next } = await models.find(things, { ...query, ...(after && { after }) });
    strictEqual(rows.length, keys.length);
    ok(rows.length <= query.limit);
    found.push(...keys);
    if (!next) return found;
    strictEqual(rows.length, query.limit, 'only the last page may be short');
    // A client returns the cursor as JSON.
    after = JSON.parse(JSON.stringify(next)) as Cursor;
    await between(page);
  }
}

async function replaceAll(models: ReadModels, rows: Rows): Promise<void> {
  const { keys } = await models.find(things, { index: 'key', limit: 1_000 });
  await write(models, ...keys.map((name) => remove(things, name)), ...[...rows].map(([name, row]) => put(things, name, row)));
}

/** Fewer rounds than fast-check's default of 100, because each round is many transactions and every adapter runs them. */
const ROUNDS = { numRuns: 12 };

const five: Rows = new Map([
  ['e', { kind: 'x', size: 1 }],
  ['d', { kind: 'x', size: 2 }],
  ['c', { kind: 'x', size: 2 }],
  ['b', { kind: 'x', size: null }],
  ['a', { kind: 'y', size: 9 }],
]);

export const queryCases: Readonly<Record<string, Case>> = {
  'finds rows by an index, in its order, and orders equal rows by their keys': async (stage) => {
    const models = await prepared(stage);
    await replaceAll(models, five);
    const all = { index: 'byKind', where: { kind: 'x' }, limit: 10 };
    deepStrictEqual((await models.find(things, all)).keys, ['b', 'e', 'c', 'd']);
    deepStrictEqual((await models.find(things, { ...all, order: 'desc' })).keys, ['d', 'c', 'e', 'b']);
    deepStrictEqual((await models.find(things, { ...all, where: { kind: 'x', size: 2 } })).keys, ['c', 'd']);
    deepStrictEqual((await models.find(things, { ...all, where: { kind: 'x', size: null } })).rows, [{ kind: 'x', size: null }]);
    deepStrictEqual(await models.find(things, { ...all, where: { kind: 'z' } }), { rows: [], keys: [], next: null });
  },

  'continues after the last row of a page, even if the next row has equal values': async (stage) => {
    const models = await prepared(stage);
    const rows: Rows = new Map(['a', 'b', 'c', 'd', 'e', 'f'].map((name, place) => [name, { kind: 'x', size: place < 4 ? 1 : null }]));
    await replaceAll(models, rows);
    for (const direction of ['asc', 'desc'] as const) {
      for (let limit = 1; limit <= 7; limit += 1) {
        deepStrictEqual(await walk(models, { index: 'byKind', order: direction, limit }), sorted(rows, ['kind', 'size'], direction));
      }
    }
  },

  'finds rows within inclusive bounds': async (stage) => {
    const models = await prepared(stage);
    await replaceAll(models, five);
    const all: Query = { index: 'byKind', where: { kind: 'x' }, limit: 10 };
    deepStrictEqual((await models.find(things, { ...all, from: 2 })).keys, ['c', 'd']);
    deepStrictEqual((await models.find(things, { ...all, to: 1 })).keys, ['e']);
    deepStrictEqual((await models.find(things, { ...all, from: 1, to: 2, order: 'desc' })).keys, ['d', 'c', 'e']);
    deepStrictEqual((await models.find(things, { index: 'byKind', from: 'y', limit: 10 })).keys, ['a']);
  },

  'finds rows within bounds on the key': async (stage) => {
    const models = await prepared(stage);
    await replaceAll(models, five);
    for (const query of [{ index: 'key' }, { index: 'byKind', where: { kind: 'x', size: 2 } }]) {
      const all = query.index === 'key' ? ['b', 'c', 'd'] : ['c', 'd'];
      const within: Query = { ...query, from: 'b', to: 'd', limit: 10 };
      deepStrictEqual((await models.find(things, within)).keys, all);
      deepStrictEqual(await walk(models, { ...within, limit: 1 }), all);
      deepStrictEqual(await walk(models, { ...within, limit: 1, order: 'desc' }), all.toReversed());
    }
  },

  'finds a changed row at its new place in the index': async (stage) => {
    const models = await prepared(stage);
    await replaceAll(models, five);
    await write(models, patch(things, 'b', { size: 5 }), remove(things, 'c'));
    deepStrictEqual((await models.find(things, { index: 'bySize', limit: 10 })).keys, ['e', 'd', 'b', 'a']);
    await write(models, patch(things, 'b', { kind: 'other' }), add(things, 'b', { size: 1 }, { kind: null }));
    deepStrictEqual((await models.find(things, { index: 'byKind', where: { kind: 'other', size: 6 }, limit: 10 })).keys, ['b']);
  },

  'returns exactly the sorted rows, in pages of any size': async (stage) => {
    const models = await prepared(stage);
    await fc.assert(
      fc.asyncProperty(rowsOf, order, size, async (rows, direction, limit) => {
        await replaceAll(models, rows);
        const common = { order: direction, limit };
        deepStrictEqual(await walk(models, { index: 'byKind', ...common }), sorted(rows, ['kind', 'size'], direction));
        deepStrictEqual(await walk(models, { index: 'key', ...common }), sorted(rows, [], direction));
      }),
      ROUNDS,
    );
  },

  'returns pages of rows with a prefix or within bounds': async (stage) => {
    const models = await prepared(stage);
    await fc.assert(
      fc.asyncProperty(rowsOf, order, size, scalar, scalar, async (rows, direction, limit, one, other) => {
        await replaceAll(models, rows);
        const common = { index: 'byKind', order: direction, limit };
        const some = (fits: (row: Thing) => boolean) =>
          sorted(new Map([...rows].filter(([, row]) => fits(row))), ['kind', 'size'], direction);
        deepStrictEqual(
          await walk(models, { ...common, where: { kind: one } }),
          some((row) => row.kind === one),
        );
        if (one === null) return;
        const bound = { from: one, ...(typeof other === typeof one && other !== null && { to: other }) };
        const fits = ({ kind }: Thing) =>
          typeof kind === typeof one && inOrder(kind, one) >= 0 && (bound.to === undefined || inOrder(kind, bound.to) <= 0);
        deepStrictEqual(await walk(models, { ...common, ...bound }), some(fits));
        deepStrictEqual(
          await walk(models, { ...common, to: one }),
          some(({ kind }) => typeof kind === typeof one && inOrder(kind, one) <= 0),
        );
      }),
      ROUNDS,
    );
  },

  'neither repeats nor skips a row while other rows are added and removed': async (stage) => {
    const models = await prepared(stage);
    await fc.assert(
      fc.asyncProperty(rowsOf, rowsOf, order, fc.integer({ min: 1, max: 4 }), async (rows, more, direction, limit) => {
        await replaceAll(models, rows);
        const coming = [...more].filter(([name]) => !rows.has(name));
        const found = await walk(models, { index: 'byKind', order: direction, limit }, async () => {
          const next = coming.pop();
          if (next) await write(models, put(things, next[0], next[1]));
        });
        strictEqual(new Set(found).size, found.length);
        deepStrictEqual(
          found.filter((name) => rows.has(name)),
          sorted(rows, ['kind', 'size'], direction),
        );
      }),
      ROUNDS,
    );
  },

  'ends a page at its byte limit, and continues after it': async (stage) => {
    const models = await prepared(stage);
    const note = 'x'.repeat(1_000);
    const names = Array.from({ length: 9 }, (_, number) => `k${number}`);
    await write(models, ...names.map((name) => put(things, name, { kind: 'x', note })));
    for (const query of [{ index: 'byKind', where: { kind: 'x' } }, { index: 'key' }]) {
      const found: string[] = [];
      let after: Cursor | null = null;
      do {
        const page: Page<Thing> = await models.find(things, { ...query, limit: 100, bytes: 2_500, ...(after && { after }) });
        ok(page.rows.length <= 3);
        found.push(...page.keys);
        after = page.next;
      } while (after);
      deepStrictEqual(found, names);
    }
    strictEqual((await models.find(things, { index: 'key', limit: 100, bytes: 1 })).keys.length, 1);
  },

  'refuses a query that its index cannot answer': async (stage) => {
    const models = await prepared(stage);
    const wrong: Query[] = [
      { index: 'byColour', limit: 1 },
      { index: 'toString', limit: 1 },
      { index: 'bySize', where: { kind: 'x' }, limit: 1 },
      { index: 'byKind', where: { size: 1 }, limit: 1 },
      { index: 'byKind', where: { kind: 'x', colour: 1 }, limit: 1 },
      { index: 'byKind', where: { kind: 'x', size: 1 }, from: 1, limit: 1 },
      { index: 'byKind', where: { kind: { $ne: null } as unknown as string }, limit: 1 },
      { index: 'bySize', from: 1, to: 'x', limit: 1 },
      { index: 'bySize', limit: 0 },
      { index: 'bySize', limit: 1.5 },
    ];
    for (const query of wrong) await rejects(models.find(things, query), NoSuchIndex, JSON.stringify(query));
  },

  'refuses a cursor of another query': async (stage) => {
    const models = await prepared(stage);
    const wrong = [[], ['x', 1], ['y', 1, 'a'], ['x', 1, 2], ['x', {}, 'a'], ['x', 7, 'a'], ['x', 'text', 'a']] as Cursor[];
    for (const after of wrong) {
      await rejects(
        models.find(things, { index: 'byKind', where: { kind: 'x' }, from: 0, to: 5, limit: 1, after }),
        BadCursor,
        JSON.stringify(after),
      );
    }
  },

  'refuses a value that is not a scalar in an indexed field': async (stage) => {
    const models = await prepared(stage);
    await rejects(write(models, put(things, 'a', { kind: ['x'] as unknown as string })), ChangeRefused);
    await rejects(write(models, add(things, 'a', { size: 1 }, { kind: ['x'] as unknown as string })), ChangeRefused);
    await write(models, put(things, 'a', { kind: 'x' }));
    await rejects(write(models, patch(things, 'a', { kind: {} as unknown as string })), ChangeRefused);
    await rejects(write(models, add(things, 'a', { size: 1 }, { kind: ['x'] as unknown as string })), ChangeRefused);
  },
};
