import { type Collection, type Db, MongoServerError } from 'mongodb';
import { NEWER_RELEASE_KEEPS_MS, RelayCheckpoints, type RelayLease } from './relay-checkpoints.ts';

interface CheckpointDocument {
  _id: string;
  epoch: number;
  position: number;
  owner: string | null;
  /** Milliseconds of the server's clock. */
  expires: number;
  /** The owner's release. Missing in checkpoints of 0.2. */
  release?: number;
}

const DUPLICATE_KEY = 11000;
const durable = { writeConcern: { w: 'majority', journal: true }, readConcern: { level: 'majority' }, readPreference: 'primary' } as const;
const serverNow = { $toLong: '$$NOW' };
const releaseOfHolder = { $ifNull: ['$release', 0] };

/** Leases use the server's clock, because the clocks of processes differ. */
export async function openMongoRelayCheckpoints(db: Db): Promise<RelayCheckpoints> {
  return new MongoRelayCheckpoints(db.collection<CheckpointDocument>('relay_checkpoints', durable));
}

class MongoRelayCheckpoints extends RelayCheckpoints {
  readonly #collection: Collection<CheckpointDocument>;
  readonly #seeded = new Set<string>();

  constructor(collection: Collection<CheckpointDocument>) {
    super();
    this.#collection = collection;
  }

  async claim(relay: string, owner: string, ttlMs: number, release: number): Promise<RelayLease | null> {
    await this.#seed(relay);
    const keepsMs = { $cond: [{ $gt: [releaseOfHolder, release] }, NEWER_RELEASE_KEEPS_MS, 0] };
    const isFree = { $or: [{ $lt: [releaseOfHolder, release] }, { $lte: [{ $add: ['$expires', keepsMs] }, serverNow] }] };
    const document = await this.#collection.findOneAndUpdate(
      { _id: relay, $or: [{ owner }, { $expr: isFree }] },
      [{ $set: { epoch: { $add: ['$epoch', 1] }, owner: { $literal: owner }, expires: { $add: [serverNow, ttlMs] }, release } }],
      { returnDocument: 'after' },
    );
    return document && { epoch: document.epoch, position: document.position };
  }

  /** Claims only update: if two clients upsert a missing document concurrently, one of them may get nothing back. */
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
    await this.#collection.updateOne({ _id: relay, epoch }, [{ $set: { expires: { $min: ['$expires', serverNow] } } }]);
  }

  async position(relay: string): Promise<number> {
    const document = await this.#collection.findOne({ _id: relay }, { projection: { position: 1 } });
    return document?.position ?? 0;
  }
}
