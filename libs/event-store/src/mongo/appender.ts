import { type Collection, MongoError, MongoInvalidArgumentError, MongoServerError, type WriteError } from 'mongodb';
import { type Earlier, namesOf, VersionConflict, WriteUnconfirmed } from '../append.ts';
import { insertConfirmed } from './confirmed-insert.ts';
import { type CommitDocument, DUPLICATE_KEY, idOf } from './documents.ts';
import { earlierOf } from './names.ts';

interface Waiting {
  readonly document: CommitDocument;
  /** Empty if the append is written, otherwise the names that had been used before. */
  resolve(earlier: readonly Earlier[]): void;
  reject(error: unknown): void;
}

/** Two groups are in flight: one is being replicated to the majority while the next is sent to the server. */
const GROUPS_IN_FLIGHT = 2;
const LARGEST_GROUP = 1_000;
const LARGEST_GROUP_BYTES = 8 * 1024 * 1024;
const STREAMS_KEPT = 20_000;

/** Groups the appends of one process, so that 64 writers need one round trip instead of 64. */
export class MongoAppender {
  private waiting: Waiting[] = [];
  private inFlight = 0;
  private due = false;
  /** For each stream, a version that is known to exist. Versions are never removed, so an entry stays correct. */
  private readonly reached = new Map<string, number>();

  constructor(private readonly commits: Collection<CommitDocument>) {}

  append(document: CommitDocument): Promise<readonly Earlier[]> {
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

  /** Notes an existing version, so that the next append to the stream needs no query for it. */
  noteReached(stream: string, version: number): void {
    if ((this.reached.get(stream) ?? 0) >= version) return;
    if (this.reached.size === STREAMS_KEPT) this.reached.clear();
    this.reached.set(stream, version);
  }

  private launch(): void {
    while (this.waiting.length > 0 && this.inFlight < GROUPS_IN_FLIGHT) {
      const group = this.waiting.splice(0, this.nextGroup());
      this.inFlight++;
      this.carryOut(group)
        .catch((error: unknown) => {
          // These may or may not have been written. The callers retry; versions and names prevent a second effect.
          for (const { reject } of group) reject(error);
        })
        .finally(() => {
          this.inFlight--;
          this.launch();
        });
    }
  }

  private nextGroup(): number {
    let bytes = 0;
    const end = this.waiting.findIndex(({ document }, index) => {
      bytes += document.events.length;
      return index === LARGEST_GROUP || (index > 0 && bytes > LARGEST_GROUP_BYTES);
    });
    return end === -1 ? this.waiting.length : end;
  }

  private async carryOut(group: readonly Waiting[]): Promise<void> {
    const missing = await this.missing(group);
    const possible = group.filter(({ document }) => !missing.has(document));
    const failures = await this.insert(possible.map(({ document }) => document));
    const refused: Waiting[] = [];
    for (const waiting of group) {
      const { document, resolve, reject } = waiting;
      const failure = failures.get(document);
      if (missing.has(document) || isDuplicateKey(failure)) {
        refused.push(waiting);
      } else if (failure) {
        reject(failure);
      } else {
        this.noteReached(document.stream, document.version);
        resolve([]);
      }
    }
    if (refused.length > 0) await this.explain(refused);
  }

  /** Returns appends whose expected version does not exist (yet). The unique ID alone would not prevent the gap that they would leave. */
  private async missing(group: readonly Waiting[]): Promise<ReadonlySet<CommitDocument>> {
    const unsure = group.map(({ document }) => document).filter(({ stream, version }) => version > 1 + (this.reached.get(stream) ?? 0));
    if (unsure.length === 0) return new Set();
    const previousId = ({ stream, version }: CommitDocument) => idOf(stream, version - 1);
    const found = await this.commits.find({ _id: { $in: unsure.map(previousId) } }, { projection: { _id: 1 } }).toArray();
    const existing = new Set(found.map(({ _id }) => _id));
    return new Set(unsure.filter((document) => !existing.has(previousId(document))));
  }

  /** Returns the documents that could not be written, each with its error. Rejects if the outcome of all is unknown. */
  private async insert(documents: readonly CommitDocument[]): Promise<ReadonlyMap<CommitDocument, Error>> {
    if (documents.length === 0) return new Map();
    try {
      const failures = await insertConfirmed(this.commits, documents);
      return new Map(failures.map((failure) => [documents[failure.index]!, errorOf(failure)]));
    } catch (error) {
      if (!isOfOneDocument(error)) throw error;
      if (documents.length === 1) return new Map([[documents[0]!, error as Error]]);
      // One of the documents cannot be sent. `explain` recognises those that were already sent.
      const half = documents.length >> 1;
      const [first, second] = [await this.insert(documents.slice(0, half)), await this.insert(documents.slice(half))];
      return new Map([...first, ...second]);
    }
  }

  /** Determines which of two unique keys refused an append, from the stored documents, because the error's text differs between servers. */
  private async explain(refused: readonly Waiting[]): Promise<void> {
    const names = refused.flatMap(({ document: { once } }) => namesOf(once));
    const ids = refused.map(({ document }) => document._id);
    // Some servers use no index for both conditions in one query.
    const [found, named] = await Promise.all([
      this.commits.find({ _id: { $in: ids } }, { projection: { events: 1 } }).toArray(),
      earlierOf(this.commits, names),
    ]);
    const byName = new Map(named.map((each) => [each.name, each]));
    const byId = new Map(found.map((document) => [document._id, document]));
    for (const { document, resolve, reject } of refused) {
      const { _id, stream, version, once, events } = document;
      const earlier = namesOf(once).flatMap((name) => byName.get(name) ?? []);
      // The driver may send a write twice when a connection breaks. The IDs of the events show that it is the same append.
      if (byId.get(_id)?.events === events) resolve([]);
      else if (earlier.length > 0) resolve(earlier);
      else reject(new VersionConflict(stream, version - 1));
    }
  }
}

/** The driver's object is not an error, and contains the document. */
function errorOf({ code, errmsg }: WriteError): MongoServerError {
  return new MongoServerError({ code, errmsg });
}

function isDuplicateKey(failure: Error | undefined): boolean {
  return failure !== undefined && 'code' in failure && failure.code === DUPLICATE_KEY;
}

/** True if the driver rejects one document. The others can then be sent without it. */
function isOfOneDocument(error: unknown): boolean {
  if (error instanceof WriteUnconfirmed) return false;
  return !(error instanceof MongoError) || error instanceof MongoInvalidArgumentError;
}
