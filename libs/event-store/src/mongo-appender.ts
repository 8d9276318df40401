import { type Collection, MongoBulkWriteError } from 'mongodb';
import { namesOf, VersionConflict } from './event-store.ts';
import { type CommitDocument, DUPLICATE_KEY, idOf } from './mongo-documents.ts';

/** What came of an append: null when it is written, else the earlier commit that used its name. */
export type Found = Pick<CommitDocument, '_id' | 'stream' | 'version' | 'events' | 'once'> & { readonly names: readonly string[] };
export type Earlier = readonly Found[] | null;

interface Waiting {
  readonly document: CommitDocument;
  resolve(earlier: Earlier): void;
  reject(error: unknown): void;
}

/** While one group is on its way to the disks of the majority, a second one is on its way to the server. */
const GROUPS_IN_FLIGHT = 2;
const LARGEST_GROUP = 1_000;
const STREAMS_KEPT = 20_000;

/** Gathers the appends of one process: 64 writers cost one round trip, not 64. */
export class MongoAppender {
  private waiting: Waiting[] = [];
  private inFlight = 0;
  private due = false;
  /** A version of each stream that is known to be there. Versions are never taken back, so what was true stays true. */
  private readonly reached = new Map<string, number>();

  constructor(private readonly commits: Collection<CommitDocument>) {}

  append(document: CommitDocument): Promise<Earlier> {
    return new Promise((resolve, reject) => {
      this.waiting.push({ document, resolve, reject });
      if (this.due) return;
      this.due = true;
      setImmediate(() => {
        this.due = false;
        this.launch();
      });
    });
  }

  /** Spares the next append to the stream the question whether its version is there. */
  noteReached(stream: string, version: number): void {
    if ((this.reached.get(stream) ?? 0) >= version) return;
    if (this.reached.size === STREAMS_KEPT) this.reached.clear();
    this.reached.set(stream, version);
  }

  private launch(): void {
    while (this.waiting.length > 0 && this.inFlight < GROUPS_IN_FLIGHT) {
      const group = this.waiting.splice(0, LARGEST_GROUP);
      this.inFlight++;
      this.carryOut(group)
        .catch((error: unknown) => {
          // Nobody knows whether these were written. The callers try again, and versions and names keep it from happening twice.
          for (const { reject } of group) reject(error);
        })
        .finally(() => {
          this.inFlight--;
          this.launch();
        });
    }
  }

  private async carryOut(group: readonly Waiting[]): Promise<void> {
    const missing = await this.missing(group);
    const possible = group.filter(({ document }) => !missing.has(document));
    const duplicates = possible.length > 0 ? await this.insert(possible.map(({ document }) => document)) : new Set<CommitDocument>();
    const refused: Waiting[] = [];
    for (const waiting of group) {
      const { document, resolve } = waiting;
      if (missing.has(document) || duplicates.has(document)) {
        refused.push(waiting);
      } else {
        this.noteReached(document.stream, document.version);
        resolve(null);
      }
    }
    if (refused.length > 0) await this.explain(refused);
  }

  /** Appends that rest on a version that isn't there (yet): the unique id alone would let them leave a gap. */
  private async missing(group: readonly Waiting[]): Promise<ReadonlySet<CommitDocument>> {
    const unsure = group.map(({ document }) => document).filter(({ stream, version }) => version > 1 + (this.reached.get(stream) ?? 0));
    if (unsure.length === 0) return new Set();
    const before = ({ stream, version }: CommitDocument) => idOf(stream, version - 1);
    const found = await this.commits.find({ _id: { $in: unsure.map(before) } }, { projection: { _id: 1 } }).toArray();
    const there = new Set(found.map(({ _id }) => _id));
    return new Set(unsure.filter((document) => !there.has(before(document))));
  }

  /** Gives those that met a key which was there already. */
  private async insert(documents: readonly CommitDocument[]): Promise<ReadonlySet<CommitDocument>> {
    try {
      await this.commits.insertMany(documents, { ordered: false });
      return new Set();
    } catch (error) {
      if (!(error instanceof MongoBulkWriteError) || error.result.getWriteConcernError()) throw error;
      const failures = [error.writeErrors].flat();
      if (failures.length === 0 || failures.some(({ code }) => code !== DUPLICATE_KEY)) throw error;
      return new Set(failures.map(({ index }) => documents[index]!));
    }
  }

  /** Two unique keys can refuse an append. Which one it was, the documents tell: the error's text differs between servers. */
  private async explain(refused: readonly Waiting[]): Promise<void> {
    const names = refused.flatMap(({ document: { once } }) => namesOf(once));
    const ids = refused.map(({ document }) => document._id);
    const projection = { once: 1, stream: 1, version: 1, events: 1 } as const;
    const found = await this.commits.find({ $or: [{ _id: { $in: ids } }, { once: { $in: names } }] }, { projection }).toArray();
    const byId = new Map(found.map((document) => [document._id, document]));
    const byName = new Map(found.flatMap((document) => namesOf(document.once).map((name) => [name, document] as const)));
    for (const { document, resolve, reject } of refused) {
      const { _id, stream, version, once, events } = document;
      const earlier = [...new Set(namesOf(once).flatMap((name) => byName.get(name) ?? []))];
      // The driver may send a write twice when a connection breaks; the events' ids show that it is this very append.
      if (byId.get(_id)?.events === events) resolve(null);
      else if (earlier.length > 0)
        resolve(earlier.map((each) => ({ ...each, names: namesOf(once).filter((name) => byName.get(name) === each) })));
      else reject(new VersionConflict(stream, version - 1));
    }
  }
}
