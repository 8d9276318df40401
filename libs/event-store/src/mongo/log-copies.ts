import { BSON, type Collection, type Db, type Document, type FindCursor, type MongoClient, type OptionalUnlessRequiredId } from 'mongodb';
import { type EventStore, type Metadata, READ_BYTES, type RecordedEvent } from '../event-store.ts';
import { metadataOf } from '../metadata.ts';
import { type Collections, type CommitDocument, durable, openCollections, pageOf, type TailDocument } from './documents.ts';

const PAGE = 1_000;
const INSERTED_AT_ONCE = 500;
const INSERTED_BYTES = 16 * 1024 * 1024;

/** A log at one moment. */
export interface LogCut {
  /** The position of the newest commit. */
  readonly head: number;
  readonly tail: TailDocument;
  /** The commits that had no position yet, or whose position was decided but not written. */
  readonly pending: readonly CommitDocument[];
  /** Names of `once` were deleted up to this position. */
  readonly prunedBefore: number;
}

/**
 * The logs of several databases at the same moment: no log lacks an event that another one has read from it. One transaction reads all of
 * them, only their newest part, so that it is short. Null for a database without a log.
 */
export async function cutLogs(client: MongoClient, dbs: ReadonlyMap<string, Db>): Promise<ReadonlyMap<string, LogCut | null>> {
  const cuts = new Map<string, LogCut | null>();
  await client.withSession((session) =>
    session.withTransaction(
      async () => {
        for (const [name, db] of dbs) {
          const [commits, tails] = [db.collection<CommitDocument>('commits'), db.collection<TailDocument>('log_tail')];
          const tail = await tails.findOne({ _id: 'tail' }, { session });
          const pruned = await (tails as unknown as Collections['pruned']).findOne({ _id: 'pruned names' }, { session });
          const pending = tail && (await commits.find({ pending: { $exists: true } }, { session }).toArray());
          const cut = tail && pending && { head: tail.first + tail.commits.length - 1, tail, pending, prunedBefore: pruned?.before ?? 1 };
          cuts.set(name, cut);
        }
      },
      { readConcern: { level: 'snapshot' }, writeConcern: durable, readPreference: 'primary' },
    ),
  );
  return cuts;
}

/** The commits of a cut in the order of their positions, then those that have none. Rejects if a position is missing. */
export async function* commitsOf(db: Db, { head, tail, pending }: LogCut): AsyncGenerator<CommitDocument> {
  const commits = db.collection<CommitDocument>('commits', { readConcern: { level: 'majority' }, readPreference: 'primary' });
  const decided = new Map(tail.commits.map((id, index) => [id, tail.first + index]));
  const unwritten = new Map<number, CommitDocument>();
  for (const { pending: _, ...commit } of pending) {
    const position = decided.get(commit._id);
    if (position !== undefined) unwritten.set(position, { ...commit, position });
  }
  let next = 1;
  while (next <= head) {
    const range = { position: { $gte: next, $lte: Math.min(next + PAGE - 1, head) } };
    const page = await firstAnswerOf(commits.find(range, { sort: { position: 1 }, batchSize: PAGE + 1 }));
    const found = new Map(page.map((commit) => [commit.position!, commit]));
    const last = page.at(-1)?.position ?? next;
    for (; next <= last || unwritten.has(next); next += 1) {
      const commit = found.get(next) ?? unwritten.get(next);
      if (!commit) throw new Error(`database ${db.databaseName}: commit ${next} of ${head} is missing`);
      yield commit;
    }
  }
  for (const commit of pending) if (!decided.has(commit._id)) yield commit;
}

/**
 * The documents in the first answer of MongoDB, which has at most 16 MiB. A page that ends at a number of bytes would end within another answer, whose
 * rest would be read again.
 */
async function firstAnswerOf(cursor: FindCursor<CommitDocument>): Promise<readonly CommitDocument[]> {
  const documents: CommitDocument[] = [];
  try {
    do {
      const document = await cursor.next();
      if (document) documents.push(document);
    } while (cursor.bufferedCount() > 0);
    return documents;
  } finally {
    await cursor.close();
  }
}

/** When a commit was made. */
export const timeOf = ({ metadata }: CommitDocument): Metadata['at'] => metadataOf(metadata).at;

/** Reads a log as it is stored, with events of any release. */
export function storedLog(db: Db): Pick<EventStore, 'head' | 'readAll'> {
  const options = { readConcern: { level: 'majority' }, readPreference: 'primary' } as const;
  const [commits, tails] = [db.collection<CommitDocument>('commits', options), db.collection<TailDocument>('log_tail', options)];
  return {
    async head() {
      const tail = await tails.findOne({ _id: 'tail' });
      return tail ? tail.first + tail.commits.length - 1 : 0;
    },
    async readAll(after, count, bytes = READ_BYTES) {
      const range = { position: { $gt: after, $lte: after + count } };
      const found = await pageOf(commits.find(range, { sort: { position: 1 }, batchSize: count + 1 }), { commits: count, bytes });
      return found.commits.map(({ position = 0, stream, version, events, metadata }) => {
        const stored = JSON.parse(events) as RecordedEvent[];
        return { position, stream, version, events: stored, metadata: metadataOf(metadata) };
      });
    },
  };
}

export interface Restored {
  readonly prunedBefore: number;
  /** Until then no names of `once` are deleted, because old events are delivered again. */
  readonly namesKeptUntil: Date;
}

/** Writes a log into an empty database. The commits come as from `commitsOf`. */
export async function restoreLog(db: Db, source: AsyncIterable<CommitDocument>, { prunedBefore, namesKeptUntil }: Restored) {
  const { commits, tail, pruned } = await openCollections(db);
  const inserts = new Inserts(commits);
  let head = 0;
  for await (const commit of source) {
    head = Math.max(head, commit.position ?? 0);
    await inserts.add(commit);
  }
  await inserts.flush();
  await pruned.updateOne({ _id: 'pruned names' }, { $set: { before: prunedBefore, keptUntil: namesKeptUntil } }, { upsert: true });
  await tail.updateOne({ _id: 'tail' }, { $set: { batch: 1, first: head + 1, commits: [] } });
}

/** Inserts documents in their order, in batches that are limited in number and bytes. */
export class Inserts<Item extends Document> {
  private batch: OptionalUnlessRequiredId<Item>[] = [];
  private bytes = 0;

  constructor(private readonly collection: Collection<Item>) {}

  async add(document: OptionalUnlessRequiredId<Item>): Promise<void> {
    this.batch.push(document);
    this.bytes += BSON.calculateObjectSize(document);
    if (this.batch.length >= INSERTED_AT_ONCE || this.bytes >= INSERTED_BYTES) await this.flush();
  }

  async flush(): Promise<void> {
    if (this.batch.length > 0) await this.collection.insertMany(this.batch);
    this.batch = [];
    this.bytes = 0;
  }
}
