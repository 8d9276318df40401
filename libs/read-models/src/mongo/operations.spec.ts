import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { add, changed, patch, put, remove, update } from '../changes.ts';
import { type RowChange, type Row, table } from '../table.ts';
import { decode, type RowDocument } from './documents.ts';
import { createsRow, needsRow, operationOf } from './operations.ts';

interface Sum {
  readonly name: string;
  readonly count: number;
  readonly cost: number;
}

const sums = table<Sum>('sums', { byCost: ['cost'] });
const key = fc.constant('a');
const whole = fc.integer({ min: -9, max: 9 });
const change: fc.Arbitrary<RowChange> = fc.oneof(
  fc.tuple(key, whole).map(([k, count]) => put(sums, k, { name: 'put', count, cost: 0 })),
  fc.tuple(key, fc.string()).map(([k, name]) => patch(sums, k, { name })),
  fc.tuple(key, whole).map(([k, cost]) => patch(sums, k, { cost })),
  fc.tuple(key, whole).map(([k, count]) => add(sums, k, { count }, { name: 'start', cost: 1 })),
  fc.tuple(key, whole, whole).map(([k, count, cost]) => add(sums, k, { count, cost }, { name: 'start' })),
  key.map((k) => remove(sums, k)),
  key.map((k) => update(sums, k, (row) => (row && row.count > 5 ? null : { name: `${row?.name}+`, count: row?.count ?? 3, cost: 2 }))),
);

/** What MongoDB makes of an operation. */
function carriedOut(row: Row | null, operation: ReturnType<typeof operationOf>): Row | null {
  if ('deleteOne' in operation) return null;
  if ('insertOne' in operation) {
    expect(row).toBeNull();
    return decode(operation.insertOne.document.r) as Row;
  }
  if ('replaceOne' in operation) return decode((operation.replaceOne.replacement as RowDocument).r) as Row;
  if (!('updateOne' in operation) || row === null) return row;
  const { $set = {} } = operation.updateOne.update as { $set?: Readonly<Record<string, unknown>> };
  return { ...row, ...Object.fromEntries(Object.entries($set).map(([path, value]) => [path.slice('r.'.length), decode(value)])) };
}

describe('the operation for the changes of a row', () => {
  it('has the same result as the changes one by one, and reads no row that it does not need', () => {
    fc.assert(
      fc.property(fc.array(change), fc.array(change, { minLength: 1 }), fc.boolean(), (earlier, changes, looksUp) => {
        const row = earlier.reduce<Row | null>(changed, null);
        const isKnown = needsRow(changes) || (looksUp && createsRow(changes));
        const operation = operationOf('a', changes, needsRow(changes) ? row : null, isKnown && row === null);
        expect(carriedOut(row, operation)).toEqual(changes.reduce<Row | null>(changed, row));
      }),
      { numRuns: 1_000 },
    );
  });

  it('does nothing for a patch without fields', () =>
    expect(carriedOut({ name: 'n' }, operationOf('a', [patch(sums, 'a', {})], null, false))).toEqual({ name: 'n' }));
});
