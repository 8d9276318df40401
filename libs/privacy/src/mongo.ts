import { setTimeout } from 'node:timers/promises';
import { type Collection, type Db, MongoOperationTimeoutError, MongoServerError } from 'mongodb';
import type { MasterKey } from './master/master-key.ts';
import { type KeyRow, type KeyRows, openStoredSubjectKeys, type SubjectKeysOptions } from './stored-subject-keys.ts';
import type { SubjectKeys } from './subject-keys.ts';

const DUPLICATE_KEY = 11_000;
const SEEN_WITHIN_MILLIS = 10_000;

interface StoredRow {
  readonly _id: string;
  readonly within: string | null;
  readonly wrapped: string | null;
}

/**
 * Keys in MongoDB, in the collection `subject_keys`. After `shred` has resolved, a majority has the tombstone on disk and no read returns the
 * key. Its wrapped bytes remain in the oplog until it rolls over, and in blocks of the storage engine until they are overwritten; both are still
 * wrapped by the master key.
 */
export function openMongoSubjectKeys(db: Db, master: MasterKey, options?: SubjectKeysOptions): Promise<SubjectKeys> {
  const collection = db.collection<StoredRow>('subject_keys', {
    writeConcern: { w: 'majority', journal: true },
    // Reads and writes must survive elections, because a key that was used for sealing must never disappear.
    readConcern: { level: 'majority' },
    readPreference: 'primary',
  });
  return openStoredSubjectKeys(new MongoKeyRows(collection), master, options);
}

class MongoKeyRows implements KeyRows {
  constructor(private readonly collection: Collection<StoredRow>) {}

  async find(id: string): Promise<KeyRow | null> {
    const row = await this.collection.findOne({ _id: id });
    return row && { id, within: row.within, wrapped: row.wrapped };
  }

  async keep(row: KeyRow): Promise<KeyRow> {
    return (await this.insert(row)) ? row : this.winner(row.id);
  }

  async destroy(id: string): Promise<boolean> {
    for (;;) {
      const { modifiedCount } = await this.collection.updateOne({ _id: id, wrapped: { $ne: null } }, { $set: { wrapped: null } });
      if (modifiedCount === 1) return true;
      if (await this.insert({ id, within: null, wrapped: null })) return false;
      // Either another process has just made a key, or this is a tombstone and there is nothing to destroy.
      if ((await this.winner(id)).wrapped === null) return false;
    }
  }

  /** False if the ID already has a row. The unique `_id` decides races. */
  private async insert({ id, within, wrapped }: KeyRow): Promise<boolean> {
    try {
      await this.collection.insertOne({ _id: id, within, wrapped });
      return true;
    } catch (error) {
      if (error instanceof MongoServerError && error.code === DUPLICATE_KEY) return false;
      throw error;
    }
  }

  /** Resolves with the row that was stored first, as soon as a majority has it. Until then it may be rolled back. */
  private async winner(id: string): Promise<KeyRow> {
    const deadline = performance.now() + SEEN_WITHIN_MILLIS;
    for (;;) {
      const row = await this.find(id);
      if (row) return row;
      if (performance.now() > deadline)
        throw new MongoOperationTimeoutError(`the key of ${id} was made by another process and is not confirmed by a majority`);
      await setTimeout(10);
    }
  }
}

/**
 * Wraps the keys of one service again that are wrapped by a master key, not by keys of other subjects. Services may run. Resolves with the number
 * of changed keys; `rewrapped` returns the same text for a key that stays.
 */
export async function rewrapMongoSubjectKeys(db: Db, rewrapped: (wrapped: string, id: string) => string): Promise<number> {
  const collection = db.collection<StoredRow>('subject_keys', { writeConcern: { w: 'majority', journal: true } });
  let changed = 0;
  for await (const { _id, wrapped } of collection.find({ within: null, wrapped: { $ne: null } })) {
    const text = rewrapped(wrapped!, _id);
    if (text === wrapped) continue;
    // A key that was destroyed meanwhile stays destroyed.
    changed += (await collection.updateOne({ _id, wrapped }, { $set: { wrapped: text } })).modifiedCount;
  }
  return changed;
}
