import type { ClientSession, Collection, Db } from 'mongodb';
import { resolved } from '../changes.ts';
import { ChangeRefused } from '../errors.ts';
import type { Change, Row, RowChange } from '../table.ts';
import { type RowDocument, rowOf } from './documents.ts';
import { createsRow, needsRow, operationOf } from './operations.ts';

/** MongoDB's codes for a document or an index key that is too large. */
const TOO_LARGE: ReadonlySet<unknown> = new Set([2, 10_334, 17_280, 17_419, 17_420]);

interface Rows {
  /** Follows the names of the tables. */
  readonly suffix: string;
  /** Most rows do not exist yet. Some servers insert rows several times as fast as they replace them, so the keys are looked up first. */
  readonly areNew: boolean;
}

/**
 * Writes the changes of rows in a transaction. It may read a row first: if another transaction changes that row after the snapshot, this
 * one starts again.
 */
export async function writeChanges(db: Db, { suffix, areNew }: Rows, requested: readonly Change[], session: ClientSession): Promise<void> {
  const changes = await resolve(db, suffix, requested, session);
  for (const [table, ofTable] of Map.groupBy(changes, (change) => change.table.name)) {
    const rows = db.collection<RowDocument>(table + suffix);
    const byKey = Map.groupBy(ofTable, ({ key }) => key);
    const { read = [], find = [] } = Object.groupBy([...byKey.keys()], (key) => lookupOf(byKey.get(key)!, areNew));
    const known = new Map((await some(rows, read, session)).map((one) => [one._id, rowOf(one)]));
    const found = new Set((await some(rows, find, session, { _id: 1 })).map(({ _id }) => _id));
    const absent = new Set([...read.filter((key) => !known.has(key)), ...find.filter((key) => !found.has(key))]);
    const operations = [...byKey].map(([key, ofRow]) => operationOf(key, ofRow, known.get(key) ?? null, absent.has(key)));
    // The driver sends one command for each sequence of one kind. Each operation has its own row, so their order does not matter.
    operations.sort((one, other) => kindOf(one).localeCompare(kindOf(other)));
    // Ordered, because an unordered write would continue after a conflict that aborts the transaction.
    await rows.bulkWrite(operations, { session, ordered: true }).catch(refused(table));
  }
}

async function some(rows: Collection<RowDocument>, keys: readonly string[], session: ClientSession, projection?: { _id: 1 }) {
  return keys.length === 0 ? [] : rows.find({ _id: { $in: [...keys] } }, { session, ...(projection && { projection }) }).toArray();
}

/** Whether the row of these changes is read, or only looked up. */
function lookupOf(changes: readonly RowChange[], isNew: boolean): 'read' | 'find' | 'none' {
  if (needsRow(changes)) return 'read';
  return isNew && createsRow(changes) ? 'find' : 'none';
}

const kindOf = (operation: object): string => Object.keys(operation)[0]!;

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
