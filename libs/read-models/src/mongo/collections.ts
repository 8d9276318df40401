import { type Db, type MongoClient, MongoServerError, ReadConcern } from 'mongodb';
import { pathOf } from './documents.ts';
import type { Table } from '../table.ts';

/** Acknowledged writes are in the journals of a majority, and reads return only data that an election cannot roll back. */
export const durable = {
  writeConcern: { w: 'majority', journal: true },
  readConcern: new ReadConcern('majority'),
  readPreference: 'primary',
  ignoreUndefined: true,
} as const;

/** The driver sends a write once more after a failure. */
const SENT_TIMES = 2;

/** The longest time (ms) from the call of a write until it has an effect, by the limits of the client. Infinity if the client waits without end. */
export function longestWriteMs({ options }: Pick<MongoClient, 'options'>): number {
  const waits = [options.serverSelectionTimeoutMS, options.waitQueueTimeoutMS, options.socketTimeoutMS];
  return waits.reduce((sum, ms) => sum + SENT_TIMES * (ms || Infinity), 0);
}

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
