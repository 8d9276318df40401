import { type ClientBulkWriteModel, type ClientSession, type MongoClient, MongoClientBulkWriteError } from 'mongodb';
import { type Collections, durable, type TailDocument } from '../documents.ts';
import type { Pending } from './order.ts';

/** Documents by the names of their collections. All IDs are texts. */
type Ids = Record<string, { _id: string }>;
/** Reads outside the rounds do not use the rounds' session, because a session runs one command at a time. */
type ReadOptions = { readonly session?: ClientSession };

/** The sequencer's reads and writes. All rounds share one causally consistent session. */
export class Batches {
  private readonly session: ClientSession;
  private readonly inRound: { readonly session: ClientSession };

  constructor(
    private readonly collections: Collections,
    private readonly client: MongoClient,
  ) {
    this.session = client.startSession({ causalConsistency: true });
    this.inRound = { session: this.session };
  }

  /** The current tail, or null if it is still this one. So the tail's list of commits is only transferred if it is new. */
  async newer(tail: TailDocument | undefined, options: ReadOptions = this.inRound): Promise<TailDocument | null> {
    const filter = { _id: 'tail' as const, ...(tail && { batch: { $ne: tail.batch } }) };
    const found = await this.collections.tail.findOne(filter, options);
    if (!found && !tail) throw new Error('the tail of the log is missing from the database');
    return found;
  }

  /** Commits of a batch whose positions are decided but not written. */
  async unwritten({ commits }: TailDocument, options: ReadOptions = this.inRound): Promise<ReadonlySet<string>> {
    if (commits.length === 0) return new Set();
    const filter = { _id: { $in: commits }, pending: { $exists: true } };
    const found = await this.collections.commits.find(filter, { ...options, projection: { _id: 1 } }).toArray();
    return new Set(found.map(({ _id }) => _id));
  }

  async write(tail: TailDocument, unwritten: ReadonlySet<string>): Promise<void> {
    const writes = positionsOf(tail).filter(({ filter }) => unwritten.has(filter._id));
    if (writes.length === 0) return;
    const updates = writes.map((updateOne) => ({ updateOne }));
    await this.collections.commits.bulkWrite(updates, { session: this.session, ordered: false });
  }

  /**
   * Decides a batch and writes its positions. Returns an error if another process was first or the database refused for another reason; the tail shows
   * which. Rejects if the outcome is unknown.
   */
  async decide(previous: TailDocument, next: TailDocument): Promise<MongoClientBulkWriteError | null> {
    const { tail, commits } = this.collections;
    const { batch, first, commits: ids } = next;
    const name = 'updateOne';
    // If the tail is another batch, the upsert inserts an ID that already exists, so a failed condition becomes an error.
    const filter = { _id: 'tail', batch: previous.batch };
    const models: ClientBulkWriteModel<Ids>[] = [
      { namespace: tail.namespace, name, filter, update: { $set: { batch, first, commits: ids } }, upsert: true },
      ...positionsOf(next).map((update) => ({ namespace: commits.namespace, name, ...update }) as const),
    ];
    // A separate session: a write needs no causal consistency, and some servers do not support it for this command.
    const session = this.client.startSession();
    try {
      await this.client.bulkWrite<Ids>(models, { session, ordered: true, writeConcern: durable });
      return null;
    } catch (error) {
      if (error instanceof MongoClientBulkWriteError) return error;
      throw error;
    } finally {
      if (session.operationTime) this.session.advanceOperationTime(session.operationTime);
      await session.endSession();
    }
  }

  /** Commits without positions, oldest first. */
  pending(limit: number): Promise<Pending[]> {
    const projection = { stream: 1, version: 1, pending: 1 } as const;
    const filter = { pending: { $exists: true } };
    return this.collections.commits.find(filter, { session: this.session, sort: { pending: 1 }, limit, projection }).toArray();
  }

  /** The positions of these commits, as far as they have one up to `settled`. */
  async positions(ids: readonly string[], settled = Number.MAX_SAFE_INTEGER): Promise<ReadonlyMap<string, number>> {
    if (ids.length === 0) return new Map();
    const filter = { _id: { $in: ids }, position: { $lte: settled } };
    const found = await this.collections.commits.find(filter, { session: this.session, projection: { position: 1 } }).toArray();
    return new Map(found.map(({ _id, position }) => [_id, position!]));
  }

  end(): Promise<void> {
    return this.session.endSession();
  }
}

function positionsOf({ first, commits }: TailDocument) {
  return commits.map((_id, index) => ({
    filter: { _id },
    update: { $set: { position: first + index }, $unset: { pending: '' as const } },
  }));
}
