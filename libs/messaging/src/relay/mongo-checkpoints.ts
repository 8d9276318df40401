import { type Collection, type Db, MongoServerError } from 'mongodb';
import { RelayCheckpoints, type RelayLease } from './relay-checkpoints.ts';

interface CheckpointDocument {
  _id: string;
  epoch: number;
  position: number;
  owner: string | null;
  /** Milliseconds of the server's clock. */
  expires: number;
}

const DUPLICATE_KEY = 11000;
const serverNow = { $toLong: '$$NOW' };

/** Leases go by the server's clock, because clocks of processes differ. */
export async function openMongoRelayCheckpoints(db: Db): Promise<RelayCheckpoints> {
  return new MongoRelayCheckpoints(db.collection<CheckpointDocument>('relay_checkpoints', { writeConcern: { w: 'majority', j: true } }));
}

class MongoRelayCheckpoints extends RelayCheckpoints {
  readonly #collection: Collection<CheckpointDocument>;
  readonly #seeded = new Set<string>();

  constructor(collection: Collection<CheckpointDocument>) {
    super();
    this.#collection = collection;
  }

  async claim(relay: string, owner: string, ttlMs: number): Promise<RelayLease | null> {
    await this.#seed(relay);
    const document = await this.#collection.findOneAndUpdate(
      { _id: relay, $or: [{ owner }, { $expr: { $lte: ['$expires', serverNow] } }] },
      [{ $set: { epoch: { $add: ['$epoch', 1] }, owner: { $literal: owner }, expires: { $add: [serverNow, ttlMs] } } }],
      { returnDocument: 'after' },
    );
    return document && { epoch: document.epoch, position: document.position };
  }

  /** Claims only update, because of two concurrent upserts of a missing document one may return nothing. */
  async #seed(relay: string): Promise<void> {
    if (this.#seeded.has(relay)) return;
    try {
      await this.#collection.insertOne({ _id: relay, epoch: 0, position: 0, owner: null, expires: 0 });
    } catch (error) {
      if (!(error instanceof MongoServerError) || error.code !== DUPLICATE_KEY) throw error;
    }
    this.#seeded.add(relay);
  }

  async advance(relay: string, epoch: number, position: number, ttlMs: number): Promise<boolean> {
    const { matchedCount } = await this.#collection.updateOne({ _id: relay, epoch }, [
      { $set: { position: { $max: ['$position', position] }, expires: { $add: [serverNow, ttlMs] } } },
    ]);
    return matchedCount === 1;
  }

  async release(relay: string, epoch: number): Promise<void> {
    await this.#collection.updateOne({ _id: relay, epoch }, { $set: { expires: 0 } });
  }

  async position(relay: string): Promise<number> {
    const document = await this.#collection.findOne({ _id: relay }, { projection: { position: 1 } });
    return document?.position ?? 0;
  }
}
