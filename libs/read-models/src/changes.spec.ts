import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { add, changed, patch, put, remove, update } from './changes.ts';
import { ChangeRefused } from './errors.ts';
import { closed, gather } from './gather.ts';
import { type Change, type Row, table } from './table.ts';

interface Sum {
  readonly name: string;
  readonly count: number;
  readonly cost: number;
}

const sums = table<Sum>('sums', { byCost: ['cost'] });
const key = fc.constantFrom('a', 'b', 'c');
const whole = fc.integer({ min: -9, max: 9 });
const change: fc.Arbitrary<Change> = fc.oneof(
  fc.tuple(key, whole).map(([k, count]) => put(sums, k, { name: 'put', count, cost: 0 })),
  fc.tuple(key, fc.string()).map(([k, name]) => patch(sums, k, { name })),
  fc.tuple(key, whole).map(([k, cost]) => patch(sums, k, { cost })),
  fc.tuple(key, whole).map(([k, count]) => add(sums, k, { count }, { name: 'start', cost: 1 })),
  fc.tuple(key, whole, whole).map(([k, count, cost]) => add(sums, k, { count, cost }, { name: 'start' })),
  key.map((k) => remove(sums, k)),
  key.map((k) => update(sums, k, (row) => (row && row.count > 5 ? null : { name: `${row?.name}+`, count: row?.count ?? 3, cost: 2 }))),
);

/** One change after the other, as if each were a batch. */
function oneByOne(rows: Map<string, Row>, changes: readonly Change[]): Map<string, Row> {
  const after = new Map(rows);
  for (const one of changes) {
    const row = changed(after.get(one.key) ?? null, one);
    if (row) after.set(one.key, row);
    else after.delete(one.key);
  }
  return after;
}

describe('gathering the changes of a batch', () => {
  it('comes to what the changes come to one by one, with one write for each row', () => {
    fc.assert(
      fc.property(fc.array(change), fc.array(change), (earlier, changes) => {
        const rows = oneByOne(new Map(), earlier);
        const { writes, open } = gather(changes);
        const settled = open.map((one) => closed(one, rows.get(one.key) ?? null)).filter((write) => write !== null);
        const keys = [...writes, ...open].map((write) => write.key);
        expect(new Set(keys).size).toBe(keys.length);
        expect(oneByOne(rows, [...writes, ...settled])).toEqual(oneByOne(rows, changes));
      }),
    );
  });

  it('needs no row to be read for what can be done without', () => {
    const { writes, open } = gather([
      put(sums, 'a', { name: 'n', count: 1, cost: 1 }),
      update(sums, 'a', (row) => row && { ...row, count: 2 }),
      patch(sums, 'b', { name: 'm' }),
    ]);
    expect(open).toEqual([]);
    expect(writes).toEqual([put(sums, 'a', { name: 'n', count: 2, cost: 1 }), patch(sums, 'b', { name: 'm' })]);
  });

  it('leaves fields alone that a patch gives as undefined', () =>
    expect(gather([patch(sums, 'a', { name: undefined } as unknown as Partial<Sum>)])).toEqual({ writes: [], open: [] }));

  it('refuses an update that throws', () =>
    expect(() =>
      gather([
        remove(sums, 'a'),
        update(sums, 'a', () => {
          throw new Error('no such row');
        }),
      ]),
    ).toThrow(ChangeRefused));

  it.each<Change>([
    { op: 'patch', table: sums, key: 'a', fields: { 'a.b': 1 } },
    { op: 'patch', table: sums, key: 'a', fields: { $set: 1 } },
    { op: 'add', table: sums, key: 'a', amounts: { "count') --": 1 }, start: {} },
    { op: 'add', table: sums, key: 'a', amounts: {}, start: {} },
    { op: 'patch', table: sums, key: 'a', fields: Object.fromEntries([['__proto__', 1]]) },
  ])('refuses %j', (wrong) => expect(() => gather([wrong])).toThrow(ChangeRefused));
});

describe('a table', () => {
  it('can not be declared by names that a store would take for something else', () => {
    expect(() => table('a"b')).toThrow(TypeError);
    expect(() => table('a@1')).toThrow(TypeError);
    expect(() => table<Record<string, string>>('a', { byIt: ['a.b'] })).toThrow(TypeError);
    expect(() => table<Record<string, string>>('a', { byIt: [] })).toThrow(TypeError);
    expect(() => table<Record<string, string>>('a', { key: ['b'] })).toThrow(TypeError);
  });
});
