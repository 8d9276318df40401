import type { Db, Filter } from 'mongodb';
import type { Declared } from '../declared.ts';
import type { Table } from '../table.ts';
import type { RowDocument } from './documents.ts';
import type { MongoRecords } from './records.ts';
import type { MongoWriters } from './writers.ts';

/** Rows that one transaction removes. */
const REMOVED_AT_ONCE = 500;

interface Where {
  readonly db: Db;
  readonly records: MongoRecords;
  readonly writers: MongoWriters;
}

interface Rows {
  readonly table: Table;
  readonly filter: Filter<RowDocument>;
  readonly sort: Record<string, 1 | -1>;
}

/** Removes rows of a ready version. Returns how many. */
export async function removeRows(
  { db, records, writers }: Where,
  { id, suffix }: Declared,
  { table, filter, sort }: Rows,
): Promise<number> {
  const rows = db.collection<RowDocument>(table.name + suffix);
  for (let removed = 0; ;) {
    const some = await rows.find(filter, { projection: { _id: 1 }, sort, limit: REMOVED_AT_ONCE }).toArray();
    if (some.length === 0) return removed;
    const count = await writers.transact(async (session) => {
      if (!(await records.isReady(id, session))) return 0;
      return (await rows.deleteMany({ _id: { $in: some.map(({ _id }) => _id) } }, { session })).deletedCount;
    });
    // Another process may have removed them.
    if (count === 0 && !(await records.isReady(id))) return removed;
    removed += count;
  }
}
