import { describe, expect, it } from '@jest/globals';
import { changed, check, patch, update } from './changes.ts';
import { ChangeRefused } from './errors.ts';
import { type RowChange, table } from './table.ts';

interface Sum {
  readonly name: string;
  readonly count: number;
  readonly cost: number;
}

const sums = table<Sum>('sums', { byCost: ['cost'] });

describe('a change', () => {
  it('does not change fields that are undefined in a patch', () =>
    expect(patch(sums, 'a', { name: undefined } as unknown as Partial<Sum>)).toMatchObject({ fields: {} }));

  it('is refused if it is an update whose function throws', () => {
    const broken = update(sums, 'a', () => {
      throw new Error('no such row');
    });
    expect(() => changed(null, broken)).toThrow(ChangeRefused);
  });

  it.each<RowChange>([
    { op: 'patch', table: sums, key: 'a', fields: { 'a.b': 1 } },
    { op: 'patch', table: sums, key: 'a', fields: { $set: 1 } },
    { op: 'add', table: sums, key: 'a', amounts: { "count') --": 1 }, start: {} },
    { op: 'add', table: sums, key: 'a', amounts: {}, start: {} },
    { op: 'patch', table: sums, key: 'a', fields: Object.fromEntries([['__proto__', 1]]) },
  ])('is refused if it is malformed: %j', (wrong) => expect(() => check(wrong)).toThrow(ChangeRefused));
});

describe('a table', () => {
  it('cannot be declared with names that a store would interpret differently', () => {
    expect(() => table('a"b')).toThrow(TypeError);
    expect(() => table('a@1')).toThrow(TypeError);
    expect(() => table<Record<string, string>>('a', { byIt: ['a.b'] })).toThrow(TypeError);
    expect(() => table<Record<string, string>>('a', { byIt: [] })).toThrow(TypeError);
    expect(() => table<Record<string, string>>('a', { key: ['b'] })).toThrow(TypeError);
  });
});
