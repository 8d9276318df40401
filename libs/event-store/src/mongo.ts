import type { Db, Filter } from 'mongodb';
import {
  type Append,
  type Appended,
  checkAppend,
  type Commit,
  EventStore,
  type Metadata,
  READ_BYTES,
  READ_COMMITS,
  type RecordedEvent,
  type Snapshot,
  StoreClosed,
} from './event-store.ts';
import { Growth } from './growth.ts';
import { MongoAppender } from './mongo-appender.ts';
import { type Collections, type CommitDocument, idOf, openCollections } from './mongo-documents.ts';
import { MongoSequencer } from './mongo-sequencer.ts';
import { Upcasters } from './upcasting.ts';

/** How long a reader sleeps at most; the sequencer looks for news at this pace too. */
const POLL_MILLIS = 250;
const LAST_VERSION = 9_999_999_999;

/** Thrown when opening with `requireReplicaSet` on a server that stands alone: a crash can lose what it has acknowledged. */
export class StandaloneServer extends Error {
  constructor() {
    super('MongoDB runs as a single server; a replica set is required (one member is enough: start mongod with --replSet)');
    this.name = 'StandaloneServer';
  }
}

export interface MongoEventStoreOptions {
  readonly upcasters?: Upcasters;
  /** Refuse a server that is no member of a replica set. For production. */
  readonly requireReplicaSet?: boolean;
  /** Told of failures in the background, which are tried again by themselves: nothing is lost, positions come later. */
  readonly onError?: (error: unknown) => void;
}

class MongoEventStore extends EventStore {
  private readonly growth = new Growth(POLL_MILLIS);
  private readonly appender: MongoAppender;
  private readonly sequencer: MongoSequencer;

  constructor(
    db: Db,
    private readonly collections: Collections,
    private readonly upcasters: Upcasters,
    onError: (error: unknown) => void,
  ) {
    super();
    this.appender = new MongoAppender(collections.commits);
    this.sequencer = new MongoSequencer(collections, db.client, this.growth, onError);
    this.sequencer.refresh();
  }

  async append(append: Append): Promise<Appended> {
    if (this.growth.ended) throw new StoreClosed();
    checkAppend(append);
    const { stream, expected, metadata, once } = append;
    const events = this.upcasters.record(append.events);
    const version = expected + 1;
    const document: CommitDocument = {
      _id: idOf(stream, version),
      stream,
      version,
      events: JSON.stringify(events),
      metadata: JSON.stringify(metadata),
      ...(once !== undefined && { once }),
      pending: events[0]!.id,
    };
    const earlier = await this.appender.append(document);
    if (earlier) {
      const [first] = earlier;
      const used = earlier.flatMap((each) => each.names.map((name) => ({ name, stream: each.stream, version: each.version, position: 0 })));
      return { position: 0, version: first!.version, written: false, events: this.present(first!.events), earlier: used };
    }
    this.sequencer.appended(document._id);
    return { position: 0, version, written: true, events, earlier: [] };
  }

  async read(stream: string, after = 0, count = READ_COMMITS, bytes = READ_BYTES): Promise<readonly Commit[]> {
    // Another stream's name may begin with this one's and an @: such ids fall into the range, and are not of the stream.
    const range = { _id: { $gt: idOf(stream, after), $lte: idOf(stream, LAST_VERSION) }, stream };
    const commits = await this.commits(range, { _id: 1 }, count, bytes);
    const last = commits.at(-1);
    if (last) this.appender.noteReached(stream, last.version);
    return commits;
  }

  async readAll(after: number, count: number, bytes = READ_BYTES): Promise<readonly Commit[]> {
    const commits = await this.commits({ position: { $gt: after } }, { position: 1 }, count, bytes);
    // What is past a gap comes once the gap is filled: its positions are decided, and on their way.
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
    if (this.sequencer.settled <= after) await this.growth.wait(signal);
  }

  async loadSnapshot(stream: string): Promise<Snapshot | null> {
    const found = await this.collections.snapshots.findOne({ _id: stream });
    return found ? { version: found.version, shape: found.shape, state: JSON.parse(found.state) as unknown } : null;
  }

  async saveSnapshot(stream: string, { version, shape, state }: Snapshot): Promise<void> {
    const values = { version, shape, state: JSON.stringify(state) };
    await this.collections.snapshots.updateOne({ _id: stream }, { $set: values }, { upsert: true });
  }

  /** Ends all waiting and the background work. The client stays open: it belongs to whoever made it. */
  async close(): Promise<void> {
    this.growth.end();
    await this.sequencer.close();
  }

  private async commits(filter: Filter<CommitDocument>, sort: Record<string, 1>, limit: number, bytes: number): Promise<Commit[]> {
    const found: CommitDocument[] = [];
    let size = 0;
    for await (const document of this.collections.commits.find(filter, { sort, limit })) {
      found.push(document);
      size += document.events.length;
      if (size >= bytes) break;
    }
    return found.map(({ stream, version, events, metadata, position }) => ({
      // A commit read from its stream may not have its place in the log yet.
      position: position ?? 0,
      stream,
      version,
      events: this.present(events),
      metadata: JSON.parse(metadata) as Metadata,
    }));
  }

  private present(events: string): RecordedEvent[] {
    return (JSON.parse(events) as RecordedEvent[]).map((recorded) => this.upcasters.present(recorded));
  }
}

/** Makes its collections and indexes where they are missing. Rejects with `StandaloneServer` where a replica set is required. */
export async function openMongoEventStore(
  db: Db,
  { upcasters = new Upcasters(), requireReplicaSet = false, onError = () => undefined }: MongoEventStoreOptions = {},
): Promise<EventStore> {
  if (requireReplicaSet) {
    const { setName, msg } = await db.command({ hello: 1 });
    if (setName === undefined && msg !== 'isdbgrid') throw new StandaloneServer();
  }
  return new MongoEventStore(db, await openCollections(db), upcasters, onError);
}
