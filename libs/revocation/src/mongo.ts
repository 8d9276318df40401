import { randomUUID } from 'node:crypto';
import { type Collection, type Db, MongoServerError } from 'mongodb';
import { type Watching, WatcherRegistry } from './registry.ts';

const DUPLICATE_KEY = 11_000;

interface WatcherDocument {
  readonly _id: string;
  readonly seen: number;
  readonly beat: string;
}

/** A registry in a collection with one small document per watcher. */
export function openMongoWatcherRegistry(db: Db, collection = 'revocation_watchers'): WatcherRegistry {
  return new MongoWatcherRegistry(
    db.collection<WatcherDocument>(collection, {
      writeConcern: { w: 'majority', journal: true },
      readConcern: { level: 'majority' },
      readPreference: 'primary',
    }),
  );
}

class MongoWatcherRegistry extends WatcherRegistry {
  constructor(private readonly collection: Collection<WatcherDocument>) {
    super();
  }

  async note(watcher: string, seen: number): Promise<void> {
    const beat = randomUUID();
    for (;;) {
      const { matchedCount } = await this.collection.updateOne({ _id: watcher }, { $max: { seen }, $set: { beat } });
      if (matchedCount === 1 || (await this.insert({ _id: watcher, seen, beat }))) return;
    }
  }

  async all(): Promise<readonly Watching[]> {
    return (await this.collection.find().toArray()).map(({ _id, seen, beat }) => ({ watcher: _id, seen, beat }));
  }

  async drop(watcher: string, beat: string): Promise<void> {
    await this.collection.deleteOne({ _id: watcher, beat });
  }

  /** False if another process has already inserted a document. The unique `_id` decides. */
  private async insert(document: WatcherDocument): Promise<boolean> {
    try {
      await this.collection.insertOne(document);
      return true;
    } catch (error) {
      if (error instanceof MongoServerError && error.code === DUPLICATE_KEY) return false;
      throw error;
    }
  }
}
