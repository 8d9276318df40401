import type { Db } from 'mongodb';
import { type Append, type Appended, checkAppend, type Earlier, namesOf, textOf, VersionConflict } from '../append.ts';
import {
  type Commit,
  EventStore,
  type Page,
  READ_BYTES,
  READ_COMMITS,
  type RecordedEvent,
  SHAPES_KEPT_FOR,
  type Snapshot,
  StoreClosed,
} from '../event-store.ts';
import { Growth } from '../growth.ts';
import { metadataOf, metadataText } from '../metadata.ts';
import { Upcasters } from '../upcasting.ts';
import { MongoAppender } from './appender.ts';
import { Batches } from './sequencing/batches.ts';
import { type Collections, type CommitDocument, idOf, isDuplicate, openCollections, pageOf, snapshotId } from './documents.ts';
import { earlierOf, pruneNames } from './names.ts';
import { MongoSequencer } from './sequencing/sequencer.ts';
import { TailWatch } from './sequencing/tail-watch.ts';
import { requireSuitable } from './unsuitable-server.ts';

/** The number of versions in the first query of a stream. Most streams are shorter, and a query lists the IDs of its commits. */
const FIRST_VERSIONS = 32;

export interface MongoEventStoreOptions {
  readonly upcasters?: Upcasters;
  /** Called with errors of background work. The work is repeated, so nothing is lost, but positions are assigned later. */
  readonly onError?: (error: unknown) => void;
}

class MongoEventStore extends EventStore {
  readonly joinsCompanions = false;
  /** Has no time limit, because the sequencer wakes readers when any process has appended. */
  private readonly growth = new Growth();
  private readonly appender: MongoAppender;
  private readonly sequencer: MongoSequencer;
  private readonly watch: TailWatch;

  constructor(
    db: Db,
    private readonly collections: Collections,
    private readonly upcasters: Upcasters,
    onError: (error: unknown) => void,
  ) {
    super();
    this.appender = new MongoAppender(collections.commits);
    this.sequencer = new MongoSequencer(new Batches(collections, db.client), this.growth, onError, () => this.watch.isLive);
    this.watch = new TailWatch(collections.tail, (batch) => this.sequencer.heard(batch));
  }

  async append(append: Append): Promise<Appended> {
    if (this.growth.ended) throw new StoreClosed();
    checkAppend(append, this.joinsCompanions);
    const { stream, expected, metadata } = append;
    const events = this.upcasters.record(append.events);
    const names = namesOf(append.once);
    const version = expected + 1;
    const document: CommitDocument & { pending: string } = {
      _id: idOf(stream, version),
      stream,
      version,
      events: textOf(events),
      metadata: metadataText(metadata),
      ...(names.length > 0 && { once: names.length === 1 ? names[0]! : names }),
      pending: events[0]!.id,
    };
    const { continuity } = this.sequencer;
    const earlier = await this.appender.append(document).catch((error: unknown) => {
      if (!(error instanceof VersionConflict)) this.sequencer.suspect();
      throw error;
    });
    if (earlier.length > 0) return { position: earlier[0]!.position, version: earlier[0]!.version, written: false, events: [], earlier };
    this.sequencer.appended({ _id: document._id, stream, version, pending: document.pending }, continuity);
    return { position: 0, version, written: true, events, earlier };
  }

  earlier(names: readonly string[]): Promise<readonly Earlier[]> {
    return earlierOf(this.collections.commits, names);
  }

  pruneOnce(before: number): Promise<boolean> {
    return pruneNames(this.collections, before);
  }

  async read(stream: string, after = 0, count = READ_COMMITS, bytes = READ_BYTES): Promise<Page> {
    const page = await pageOf(this.versions(stream, after, count), { commits: count, bytes });
    const last = page.commits.at(-1);
    if (last) {
      this.appender.noteReached(stream, last.version);
      if (last.position) this.sequencer.seen(stream, last.version, last.position);
    }
    return { commits: page.commits.map((one) => this.commit(one)), more: page.more };
  }

  async readAll(after: number, count: number, bytes = READ_BYTES): Promise<readonly Commit[]> {
    // Positions have no gaps, so the range contains the page. Some servers use no index for a range that is open at one end. A batch that could be larger
    // is the last one, so the cursor need not be closed.
    const range = { position: { $gt: after, $lte: after + count } };
    const found = this.collections.commits.find(range, { sort: { position: 1 }, batchSize: count + 1 });
    const commits = (await pageOf(found, { commits: count, bytes })).commits.map((one) => this.commit(one));
    // Commits after a gap are returned once the gap is filled. Their positions are decided and being written.
    const gap = commits.findIndex(({ position }, index) => position !== after + 1 + index);
    return gap === -1 ? commits : commits.slice(0, gap);
  }

  head(): Promise<number> {
    return this.sequencer.head();
  }

  async positionOf(stream: string, version: number): Promise<number> {
    return version === 0 ? 0 : this.sequencer.positionOf(idOf(stream, version));
  }

  async grown(after: number, signal: AbortSignal): Promise<void> {
    while (this.sequencer.settled <= after && !signal.aborted && !this.growth.ended) await this.growth.wait(signal);
  }

  override noticesAtOnce(): boolean {
    return this.watch.isLive;
  }

  override noticedHead(): number | null {
    return this.watch.isLive ? this.sequencer.noticed : null;
  }

  override grewAt(): number {
    return this.sequencer.grewAt;
  }

  async loadSnapshot(stream: string, shape: string): Promise<Snapshot | null> {
    const found = await this.collections.snapshots.findOne({ _id: snapshotId(stream, shape) });
    return found ? { version: found.version, shape, state: JSON.parse(found.state) as unknown } : null;
  }

  async saveSnapshot(stream: string, { version, shape, state }: Snapshot): Promise<void> {
    const { snapshots } = this.collections;
    const values = { stream, version, shape, state: JSON.stringify(state) };
    await snapshots
      .updateOne({ _id: snapshotId(stream, shape), version: { $lt: version } }, { $set: values }, { upsert: true })
      .catch((error: unknown) => {
        // A duplicate means that a newer snapshot is stored.
        if (!isDuplicate(error)) throw error;
      });
    await snapshots.deleteMany({ stream, shape: { $ne: shape }, version: { $lt: version - SHAPES_KEPT_FOR } });
  }

  /** Ends all waits and the background work. The client stays open, because it belongs to the caller. */
  async close(): Promise<void> {
    this.growth.end();
    await Promise.all([this.sequencer.close(), this.watch.close()]);
  }

  /** The stored commits of a stream after a version. A list of IDs is also exact where the name of another stream begins with this name and an @. */
  private async *versions(stream: string, after: number, count: number): AsyncGenerator<CommitDocument> {
    const last = after + count;
    let most = FIRST_VERSIONS;
    for (let from = after; from < last; most = READ_COMMITS) {
      const ids = Array.from({ length: Math.min(most, last - from) }, (_, index) => idOf(stream, from + 1 + index));
      const reached = from + ids.length;
      for await (const document of this.collections.commits.find({ _id: { $in: ids } }, { sort: { _id: 1 }, batchSize: ids.length + 1 })) {
        from = document.version;
        yield document;
      }
      if (from < reached) return;
    }
  }

  /** A commit that was read from its stream may not have a position yet. */
  private commit({ position = 0, stream, version, events, metadata }: CommitDocument): Commit {
    return { position, stream, version, events: this.present(events), metadata: metadataOf(metadata) };
  }

  private present(events: string): RecordedEvent[] {
    return (JSON.parse(events) as RecordedEvent[]).map((recorded) => this.upcasters.present(recorded));
  }
}

/** Creates missing collections and indexes. Rejects with `UnsuitableServer`. */
export async function openMongoEventStore(
  db: Db,
  { upcasters = new Upcasters(), onError = () => undefined }: MongoEventStoreOptions = {},
): Promise<EventStore> {
  requireSuitable(await db.command({ hello: 1 }));
  return new MongoEventStore(db, await openCollections(db), upcasters, onError);
}
