import { type Collection, type Db, MongoServerError } from 'mongodb';
import { RelayCheckpoints, type RelayLease } from './relay-checkpoints.ts';

interface CheckpointDocument {
  _id: string;
  epoch: number;
  position: number;
  owner: string | null;
  expires: number;
}

const duplicateKey = 11000;

export async function openMongoRelayCheckpoints(db: Db, now: () => number = Date.now): Promise<RelayCheckpoints> {
  const collection = db.collection<CheckpointDocument>('relay_checkpoints', { writeConcern: { w: 'majority', j: true } });
  return new MongoRelayCheckpoints(collection, now);
}

class MongoRelayCheckpoints extends RelayCheckpoints {
  readonly #collection: Collection<CheckpointDocument>;
  readonly #now: () => number;
  readonly #seeded = new Set<string>();

  constructor(collection: Collection<CheckpointDocument>, now: () => number) {
    super();
    this.#collection = collection;
    this.#now = now;
  }

  async claim(relay: string, owner: string, ttlMs: number): Promise<RelayLease | null> {
    await this.#seed(relay);
    const now = this.#now();
    const document = await this.#collection.findOneAndUpdate(
      { _id: relay, $or: [{ expires: { $lte: now } }, { owner }] },
      { $inc: { epoch: 1 }, $set: { owner, expires: now + ttlMs } },
      { returnDocument: 'after' },
    );
    return document && { epoch: document.epoch, position: document.position };
  }

  /** Made first, so that claims only ever update: of two upserts of a missing document one may come back with nothing. */
  async #seed(relay: string): Promise<void> {
    if (this.#seeded.has(relay)) return;
    try {
      await this.#collection.insertOne({ _id: relay, epoch: 0, position: 0, owner: null, expires: 0 });
    } catch (error) {
      if (!(error instanceof MongoServerError) || error.code !== duplicateKey) throw error;
    }
    this.#seeded.add(relay);
  }

  async advance(relay: string, epoch: number, position: number, ttlMs: number): Promise<boolean> {
    const { matchedCount } = await this.#collection.updateOne(
      { _id: relay, epoch },
      { $max: { position }, $set: { expires: this.#now() + ttlMs } },
    );
    return matchedCount === 1;
  }

  async release(relay: string, epoch: number): Promise<void> {
    await this.#collection.updateOne({ _id: relay, epoch }, { $set: { expires: 0 } });
  }
}
