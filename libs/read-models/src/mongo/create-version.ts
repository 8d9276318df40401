import type { Db } from 'mongodb';
import type { Declared } from '../declared.ts';
import { createTable } from './collections.ts';
import { dropVersion } from './drop-version.ts';
import { BEGINNING, type MongoRecords, type Stored } from './records.ts';

interface Where {
  readonly db: Db;
  readonly records: MongoRecords;
  readonly believedMs: number;
}

/** Creates the record and the tables of a version, unless they exist. `onLost` is called if the record exists, but not all tables. */
export async function createVersion(where: Where, declared: Declared, onLost: () => void): Promise<void> {
  const { db, records, believedMs } = where;
  const { id, owner, suffix } = declared;
  const stored = await records.of(id, '');
  const lost = stored?.leaving === false && (await isLost(db, stored));
  if (lost || stored?.leaving) await dropVersion(where, id, lost ? 0 : believedMs);
  if (lost) onLost();
  else if (stored) declared.learn(stored);
  await records.use(
    id,
    owner.tables.map(({ name }) => name + suffix),
  );
  for (const { name, indexes } of owner.tables) await createTable(db, name + suffix, indexes);
}

/** If a record was never updated, its process may be about to create the collections. */
async function isLost(db: Db, { at, ready, tables }: Stored): Promise<boolean> {
  // Nothing is written yet: another process may be about to create the tables.
  if (at === BEGINNING && !ready) return false;
  const there = await db.listCollections({ name: { $in: [...tables] } }, { nameOnly: true }).toArray();
  return there.length < tables.length;
}
