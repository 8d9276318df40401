import type { ClientSession, Db } from 'mongodb';
import { resolved } from '../changes.ts';
import { ChangeRefused } from '../errors.ts';
import type { Change, Row, RowChange } from '../table.ts';
import { type RowDocument, rowOf } from './documents.ts';
import { needsRow, operationOf } from './operations.ts';

/** MongoDB's codes for a document or an index key that is too large. */
const TOO_LARGE: ReadonlySet<unknown> = new Set([2, 10_334, 17_280, 17_419, 17_420]);

/**
 * Writes the changes of rows in a transaction. It may read a row first: if another transaction changes that row after the snapshot, this
 * one starts again.
 */
export async function writeChanges(db: Db, suffix: string, requested: readonly Change[], session: ClientSession): Promise<void> {
  const changes = await resolve(db, suffix, requested, session);
  for (const [table, ofTable] of Map.groupBy(changes, (change) => change.table.name)) {
    const rows = db.collection<RowDocument>(table + suffix);
    const byKey = Map.groupBy(ofTable, ({ key }) => key);
    const toRead = [...byKey].filter(([, ofRow]) => needsRow(ofRow)).map(([key]) => key);
    const present = toRead.length === 0 ? [] : await rows.find({ _id: { $in: toRead } }, { session }).toArray();
    const known = new Map(present.map((one) => [one._id, rowOf(one)]));
    const operations = [...byKey].map(([key, ofRow]) => operationOf(key, ofRow, known.get(key) ?? null));
    // Ordered, because an unordered write would continue after a conflict that aborts the transaction.
    await rows.bulkWrite(operations, { session, ordered: true }).catch(refused(table));
  }
}

async function resolve(db: Db, suffix: string, changes: readonly Change[], session: ClientSession): Promise<readonly RowChange[]> {
  const found = new Map<string, ReadonlyMap<string, Row>>();
  const firsts = changes.filter(({ op }) => op === 'first');
  for (const [table, ofTable] of Map.groupBy(firsts, (change) => change.table.name)) {
    const keys = ofTable.map(({ key }) => key);
    const rows = await db
      .collection<RowDocument>(table + suffix)
      .find({ _id: { $in: keys } }, { session })
      .toArray();
    found.set(table, new Map(rows.map((one) => [one._id, rowOf(one)])));
  }
  return resolved(changes, ({ name }, key) => found.get(name)!.get(key) ?? null);
}

/** Maps the errors for a row that MongoDB cannot store. */
function refused(table: string): (error: Error & { code?: unknown }) => never {
  return (error) => {
    if (!error.name.startsWith('BSON') && !(error instanceof RangeError) && !TOO_LARGE.has(error.code)) throw error;
    throw new ChangeRefused(table, '?', error.message, { cause: error });
  };
}
