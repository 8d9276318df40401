import { setTimeout as pause } from 'node:timers/promises';
import type { Db } from 'mongodb';
import { dropTable } from './collections.ts';
import type { MongoRecords } from './records.ts';

interface Where {
  readonly db: Db;
  readonly records: MongoRecords;
}

/** Removes the rows and records of a version. `readFor` is how long (ms) other processes may go on reading rows that were ready: they must see all or none. */
export async function dropVersion({ db, records }: Where, id: string, readFor: number): Promise<void> {
  const left = await records.leave(id);
  if (!left) return;
  if (readFor > 0 && left.wasReady) {
    // The mark may be older, of a process that was killed. Clocks differ, so never longer than from now.
    await pause(Math.max(0, Math.min(readFor, left.leftBy + readFor - Date.now())));
    // Another process may have dropped these rows meanwhile, and begun to build them.
    if (!(await records.isLeaving(id, left.revision))) return;
  }
  for (const table of left.tables) await dropTable(db, table);
  await records.forget(id);
}

/** Remains of programs without versions: rows by generation, claims, and the IDs of events that were seen. */
export async function dropOld(db: Db): Promise<void> {
  const old = await db.listCollections({ name: /@\d+$|^read_model_(builds|fences|seen)$/ }, { nameOnly: true }).toArray();
  for (const { name } of old) await dropTable(db, name);
}
