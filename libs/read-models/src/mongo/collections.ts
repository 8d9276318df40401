import { type Db, MongoServerError, ReadConcern } from 'mongodb';
import { pathOf } from './documents.ts';
import type { Table } from '../table.ts';

/** Acknowledged writes are in the journals of a majority, and reads return only data that an election cannot roll back. */
export const durable = {
  writeConcern: { w: 'majority', journal: true },
  readConcern: new ReadConcern('majority'),
  readPreference: 'primary',
  ignoreUndefined: true,
} as const;

const DUPLICATE_KEY = 11_000;
const COLLECTION_EXISTS = 48;
const NO_SUCH_COLLECTION = 26;

/** Transactions don't create collections, so they are created first. */
export async function ensureCollection(db: Db, name: string): Promise<void> {
  if (await db.listCollections({ name }, { nameOnly: true }).hasNext()) return;
  await db.createCollection(name).catch(unless(COLLECTION_EXISTS));
}

export async function createTable(db: Db, collection: string, indexes: Table['indexes']): Promise<void> {
  await ensureCollection(db, collection);
  for (const fields of Object.values(indexes)) {
    const keys = Object.fromEntries([...fields.map(pathOf), '_id'].map((path) => [path, 1 as const]));
    await db.collection(collection).createIndex(keys, { name: fields.join('+') });
  }
}

export async function dropTable(db: Db, collection: string): Promise<void> {
  await db.dropCollection(collection).catch(unless(NO_SUCH_COLLECTION));
}

export function isDuplicate(error: unknown): boolean {
  return error instanceof MongoServerError && error.code === DUPLICATE_KEY;
}

/** Ignores the error if another process did the same at the same time. */
function unless(code: number): (error: unknown) => void {
  return (error) => {
    if (!(error instanceof MongoServerError) || error.code !== code) throw error;
  };
}
