import type { ClientSession, Collection, Db, Document } from 'mongodb';
import type { Build } from './builds.ts';
import { CheckpointMoved, Held } from './errors.ts';
import { ensureCollection, isDuplicate } from './mongo-tables.ts';
import type { Batch } from './read-models.ts';

/** A build as it is stored. */
export interface StoredBuild extends Build {
  readonly _id: string;
  /** Living, next, or (with its number, since only one of each is let in) retired. */
  readonly state: string;
  readonly tables: readonly string[];
  /** The highest number that a generation ever had, so that none comes twice and no straggler writes into another's build. */
  readonly latest: number;
  /** Of the next build: whose it is. Of the living one: who holds it. */
  readonly builder: string | null;
  /** When the claim or the hold ends; when a retired one was retired. */
  readonly until: number;
}

type Which = Pick<Build, 'projection' | 'generation'>;

/**
 * Batches of foreign events each write one of these, a hold all of them: so a hold waits for batches in hand, and batches do
 * not wait for each other.
 */
const FENCES = 8;

export function buildId({ projection, generation }: Which): string {
  return `${projection}@${generation}`;
}

/** Ids of what belongs to a build begin with the build's and `#`. */
function ofBuild(build: Which): Document {
  return { $gte: `${buildId(build)}#`, $lt: `${buildId(build)}$` };
}

/** What a batch must pass, in its own transaction, before it may write rows: the checkpoint, holds, and the events seen before. */
export class MongoGate {
  readonly builds: Collection<StoredBuild>;
  private readonly fences: Collection<{ _id: string; passed: number }>;
  private readonly seen: Collection<{ _id: string; at: number }>;

  constructor(private readonly db: Db) {
    this.builds = db.collection('read_model_builds');
    this.fences = db.collection('read_model_fences');
    this.seen = db.collection('read_model_seen');
  }

  async open(): Promise<void> {
    for (const { collectionName } of [this.builds, this.fences, this.seen]) await ensureCollection(this.db, collectionName);
    await this.builds.createIndex({ projection: 1, state: 1 }, { unique: true });
    await this.seen.createIndex({ at: 1 });
  }

  /** Throws unless this generation is there, not held, and stands where it should. */
  async pass(build: Which, checkpoint: Batch['checkpoint'], session?: ClientSession): Promise<void> {
    const { projection } = build;
    const options = session ? { session } : {};
    if (checkpoint) {
      const notHeld = [{ state: 'next' }, { builder: null }, { until: { $lte: Date.now() } }];
      const filter = { _id: buildId(build), checkpoint: checkpoint.from, state: { $in: ['living', 'next'] }, $or: notHeld };
      // A hold that ran out and was written past is over: a switch that relies on it must fail.
      const endOfHold = { builder: { $cond: [{ $eq: ['$state', 'next'] }, '$builder', null] } };
      const { matchedCount } = await this.builds.updateOne(filter, [{ $set: { checkpoint: checkpoint.to, ...endOfHold } }], options);
      if (matchedCount === 1) return;
    }
    const stored = await this.builds.findOne({ _id: buildId(build) }, options);
    const held = stored?.state === 'living' && stored.builder !== null;
    if (held && stored.until > Date.now()) throw new Held(projection);
    if (checkpoint || !stored || !['living', 'next'].includes(stored.state)) throw new CheckpointMoved(projection);
    if (held) await this.builds.updateOne({ _id: buildId(build) }, { $set: { builder: null } }, options);
    const fence = `${buildId(build)}#${Math.floor(Math.random() * FENCES)}`;
    const { matchedCount } = await this.fences.updateOne({ _id: fence }, { $inc: { passed: 1 } }, options);
    if (matchedCount === 0) throw new CheckpointMoved(projection);
  }

  async unseen(build: Which, ids: readonly string[], session?: ClientSession): Promise<string[]> {
    const prefix = `${buildId(build)}#`;
    const found = await this.seen.find({ _id: { $in: ids.map((id) => prefix + id) } }, session ? { session } : {}).toArray();
    const seen = new Set(found.map(({ _id }) => _id));
    return ids.filter((id) => !seen.has(prefix + id));
  }

  async remember(build: Which, ids: readonly string[], session: ClientSession): Promise<void> {
    const at = Date.now();
    await this.seen.insertMany(
      ids.map((id) => ({ _id: `${buildId(build)}#${id}`, at })),
      { session },
    );
  }

  async pruneSeen(before: number): Promise<number> {
    return (await this.seen.deleteMany({ at: { $lt: before } })).deletedCount;
  }

  async createFences(build: Which): Promise<void> {
    const fences = Array.from({ length: FENCES }, (_, number) => ({ _id: `${buildId(build)}#${number}`, passed: 0 }));
    await this.fences.insertMany(fences, { ordered: false }).catch((error: unknown) => {
      if (!isDuplicate(error)) throw error;
    });
  }

  /** No batch that has passed and is not yet committed gets through beside this. */
  async closeFences(build: Which, session: ClientSession): Promise<void> {
    await this.fences.updateMany({ _id: ofBuild(build) }, { $inc: { passed: 1 } }, { session });
  }

  async dropFences(build: Which, session?: ClientSession): Promise<void> {
    await this.fences.deleteMany({ _id: ofBuild(build) }, session ? { session } : {});
  }

  async forget(build: Which): Promise<void> {
    await this.seen.deleteMany({ _id: ofBuild(build) });
  }
}
