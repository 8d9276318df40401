import type { Collection, Db, WriteConcernSettings } from 'mongodb';

/** One append. Events and metadata are JSON texts, so keys like `$set` or `a.b` are safe. */
export interface CommitDocument {
  readonly _id: string;
  readonly stream: string;
  readonly version: number;
  readonly events: string;
  readonly metadata: string;
  /** One name is stored as a text, as in earlier releases; several names as a list. The unique index contains each name. */
  readonly once?: string | readonly string[];
  /** The ID of the first event, until the commit has its position. Commits get positions in the order of these IDs, as far as the order of streams permits. */
  readonly pending?: string;
  readonly position?: number;
}

/** The newest batch of positions: its commits have `first`, `first` + 1, … */
export interface TailDocument {
  readonly _id: 'tail';
  readonly batch: number;
  readonly first: number;
  readonly commits: readonly string[];
}

/** The position up to which names of `once` were deleted. */
export interface PrunedDocument {
  readonly _id: 'pruned names';
  readonly before: number;
  /** No names are deleted before this time. Set by a restore, after which old events are delivered again. */
  readonly keptUntil?: Date;
}

export interface SnapshotDocument {
  readonly _id: string;
  readonly stream: string;
  readonly version: number;
  readonly shape: string;
  readonly state: string;
}

export interface Collections {
  readonly commits: Collection<CommitDocument>;
  readonly tail: Collection<TailDocument>;
  /** The same collection as `tail`. */
  readonly pruned: Collection<PrunedDocument>;
  readonly snapshots: Collection<SnapshotDocument>;
}

export const durable: WriteConcernSettings = { w: 'majority', journal: true };
/** Acknowledged writes are in the journals of a majority, and reads return only data that cannot be rolled back. */
const options = { writeConcern: durable, readConcern: { level: 'majority' }, readPreference: 'primary' } as const;

const DIGITS = 10;
export const DUPLICATE_KEY = 11_000;
const INDEX_NOT_FOUND = 27;
/** The same indexes with partial filters, which some servers do not use for queries. A process of an earlier release creates them again at its start. */
const EARLIER_INDEXES = ['once', 'position', 'pending'];

/**
 * The version is padded with zeros, so that a stream is a range of IDs. The index on `_id` then makes (stream, version) unique and also serves reads,
 * which saves one index per append.
 */
export function idOf(stream: string, version: number): string {
  return `${stream}@${String(version).padStart(DIGITS, '0')}`;
}

export function placeOf(id: string): { stream: string; version: number } {
  return { stream: id.slice(0, -DIGITS - 1), version: Number(id.slice(-DIGITS)) };
}

/** The ID of a stream's snapshot of one shape: a JSON text. In the first release, the ID was the stream's name. */
export function snapshotId(stream: string, shape: string): string {
  return JSON.stringify([stream, shape]);
}

export function isDuplicate(error: unknown): boolean {
  return (error as { code?: unknown }).code === DUPLICATE_KEY;
}

/** Creates missing collections and indexes. They must stay unsharded, because the unique `once` and the tail apply to the whole service. */
export async function openCollections(db: Db): Promise<Collections> {
  const commits = db.collection<CommitDocument>('commits', options);
  const tail = db.collection<TailDocument>('log_tail', options);
  await commits.createIndexes([
    { key: { once: 1 }, name: 'names', unique: true, sparse: true },
    { key: { position: 1 }, name: 'positions', unique: true, sparse: true },
    { key: { pending: 1 }, name: 'without position', sparse: true },
  ]);
  for (const name of EARLIER_INDEXES) await dropIndex(commits, name);
  await tail.insertOne({ _id: 'tail', batch: 0, first: 1, commits: [] }).catch((error: unknown) => {
    if (!isDuplicate(error)) throw error;
  });
  const snapshots = db.collection<SnapshotDocument>('snapshots', options);
  await snapshots.createIndex({ stream: 1 }, { name: 'stream' });
  return { commits, tail, pruned: db.collection<PrunedDocument>('log_tail', options), snapshots };
}

async function dropIndex(commits: Collection<CommitDocument>, name: string): Promise<void> {
  await commits.dropIndex(name).catch((error: unknown) => {
    if ((error as { code?: unknown }).code !== INDEX_NOT_FOUND) throw error;
  });
}

/** Reads until a limit is reached. */
export async function pageOf(documents: AsyncIterable<CommitDocument>, most: { readonly commits: number; readonly bytes: number }) {
  const commits: CommitDocument[] = [];
  let size = 0;
  for await (const document of documents) {
    commits.push(document);
    size += document.events.length;
    if (commits.length >= most.commits || size >= most.bytes) return { commits, more: true };
  }
  return { commits, more: false };
}
