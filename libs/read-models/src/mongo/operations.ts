import type { AnyBulkWriteOperation } from 'mongodb';
import { changed, checkIndexed } from '../changes.ts';
import type { Row, RowChange } from '../table.ts';
import { documentOf, encode, pathOf, type RowDocument } from './documents.ts';

/** Whether the changes of a row need its current value. Additions do: `$inc` would round sums beyond 2^53 silently. */
export function needsRow(changes: readonly RowChange[]): boolean {
  const { op } = changes[0]!;
  return op === 'add' || op === 'update' || (op === 'patch' && !changes.every(isPatch));
}

/** Whether there is a row after the changes, whatever there was before. */
export function createsRow(changes: readonly RowChange[]): boolean {
  return changes.some(({ op }) => op === 'put') && changes.at(-1)!.op !== 'remove';
}

/** One write for all changes of a row, so that a transaction writes no row twice. Throws `ChangeRefused`. */
export function operationOf(
  key: string,
  changes: readonly RowChange[],
  row: Row | null,
  isAbsent: boolean,
): AnyBulkWriteOperation<RowDocument> {
  const filter = { _id: key };
  if (changes.every(isPatch)) {
    const fields = Object.entries(Object.assign({}, ...changes.map((change) => change.fields)) as Row);
    const $set = Object.fromEntries(fields.map(([field, value]) => [pathOf(field), encode(value)]));
    return { updateOne: { filter, update: fields.length === 0 ? { $unset: { none: 1 } } : { $set } } };
  }
  const after = changes.reduce(changed, row);
  if (!after) return { deleteOne: { filter } };
  checkIndexed(changes[0]!.table, key, after);
  if (isAbsent) return { insertOne: { document: documentOf(key, after) } };
  return { replaceOne: { filter, replacement: { r: documentOf(key, after).r }, upsert: true } };
}

function isPatch(change: RowChange): change is RowChange & { op: 'patch' } {
  return change.op === 'patch';
}
