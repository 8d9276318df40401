import { type Db, MongoServerError } from 'mongodb';
import { pathOf } from './mongo-documents.ts';
import type { Table } from './read-models.ts';

const DUPLICATE_KEY = 11_000;
const COLLECTION_EXISTS = 48;
const NO_SUCH_COLLECTION = 26;

export function collectionName(table: string, generation: number): string {
  return `${table}@${generation}`;
}

/** Transactions write to collections that are there: none makes one. */
export async function ensureCollection(db: Db, name: string): Promise<void> {
  if (await db.listCollections({ name }, { nameOnly: true }).hasNext()) return;
  await db.createCollection(name).catch(unless(COLLECTION_EXISTS));
}

export async function createTable(db: Db, { name, indexes }: Table, generation: number): Promise<void> {
  const collection = collectionName(name, generation);
  await ensureCollection(db, collection);
  for (const fields of Object.values(indexes)) {
    const keys = Object.fromEntries([...fields.map(pathOf), '_id'].map((path) => [path, 1 as const]));
    await db.collection(collection).createIndex(keys, { name: fields.join('+') });
  }
}

export async function dropTable(db: Db, table: string, generation: number): Promise<void> {
  await db.dropCollection(collectionName(table, generation)).catch(unless(NO_SUCH_COLLECTION));
}

export function isDuplicate(error: unknown): boolean {
  return error instanceof MongoServerError && error.code === DUPLICATE_KEY;
}

/** For what another process did in this very moment. */
function unless(code: number): (error: unknown) => void {
  return (error) => {
    if (!(error instanceof MongoServerError) || error.code !== code) throw error;
  };
}
