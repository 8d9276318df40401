import { type Commit, type EventStore, newId } from '@parlance/event-store';
import { storedLog } from '@parlance/event-store/mongo-copies';
import { type Collection, type Db, MongoServerError } from 'mongodb';
import { Keeper } from './keeper.ts';
import { type Found, isSame, LogRefused, type Mark, NOTHING, objectionTo, RestoreUnfinished } from './mark.ts';
import { unfinishedRestore } from './mongo-restore-mark.ts';

/** How often marks are saved. Each round costs a few reads of the database, in every process. */
const SAVE_MILLIS = 10_000;
const DUPLICATE_KEY = 11_000;
const THE_ONE = 'installation';

interface StampDocument {
  readonly _id: typeof THE_ONE;
  readonly installation: string;
}

interface MarkDocument {
  readonly _id: string;
  readonly position: number;
  readonly commit: string | null;
}

type StoredLog = Pick<EventStore, 'head' | 'readAll'> & Partial<Pick<EventStore, 'noticesAtOnce' | 'grewAt'>>;

const durable = { writeConcern: { w: 'majority', journal: true }, readConcern: { level: 'majority' }, readPreference: 'primary' } as const;

/**
 * The installation in MongoDB. A document in each service's database has its ID. A database that all services share has the ID and the marks of
 * all logs, so that restoring one service's database does not restore its mark.
 */
export class MongoInstallation {
  private readonly keeper: Keeper;
  /** When the log had last grown before the last round. */
  private markedAt: number | null = null;

  private constructor(
    readonly id: string,
    private readonly log: string,
    private readonly store: StoredLog,
    private readonly marks: Collection<MarkDocument>,
    private mark: Mark,
    onError: (error: unknown) => void,
  ) {
    this.keeper = new Keeper(SAVE_MILLIS, () => this.save(), onError);
  }

  /** Rejects with `LogRefused` if the service's log ends before its mark, and with `RestoreUnfinished`. */
  static async open(
    { shared, own }: { readonly shared: Db; readonly own: Db },
    log: string,
    store: StoredLog,
    onError: (error: unknown) => void = () => undefined,
  ): Promise<MongoInstallation> {
    const begun = await unfinishedRestore(shared);
    if (begun) throw new RestoreUnfinished(begun);
    const [stamps, marks] = collections(shared);
    const ownStamps = own.collection<StampDocument>('installation', durable);
    let stamp = await ownStamps.findOne({ _id: THE_ONE });
    // The shared document is written before any stamp. If there is a stamp without a shared document, the document was lost.
    if (stamp && !(await stamps.findOne({ _id: THE_ONE }))) throw refusalOf(shared, log, 'lack the ID of the installation');
    const installation = await idIn(stamps);
    const mark = await marks.findOne({ _id: log });
    // A mark is written after the stamp. Another process may have written both since.
    if (!stamp && mark) stamp = await ownStamps.findOne({ _id: THE_ONE });
    if (!stamp && !mark) await insertOnce(ownStamps, { _id: THE_ONE, installation });
    const last = mark ?? NOTHING;
    const position = await store.head();
    const found: Found = {
      installation: stamp?.installation ?? (mark ? null : installation),
      exists: stamp !== null || !mark || position > 0,
      position,
      commitAtMark: last.commit === null || last.position > position ? null : await commitAt(store, last.position),
    };
    const objection = objectionTo(found, installation, last);
    if (objection) throw refusalOf(own, log, objection);
    return new MongoInstallation(installation, log, store, marks, last, onError);
  }

  /** Writes the last mark, before the store is closed. */
  async close(): Promise<void> {
    await this.keeper.stop();
    await this.save();
  }

  private async save(): Promise<void> {
    const grewAt = this.store.noticesAtOnce?.() ? (this.store.grewAt?.() ?? null) : null;
    if (grewAt !== null && grewAt === this.markedAt) return;
    await this.saveMark();
    this.markedAt = grewAt;
  }

  private async saveMark(): Promise<void> {
    const position = await this.store.head();
    if (position === 0 || position === this.mark.position) return;
    const mark = { position, commit: await commitAt(this.store, position) };
    if (isSame(this.mark, mark)) return;
    await keepMark(this.marks, this.log, mark);
    this.mark = mark;
  }
}

/** Like `acceptLoss` for files: returns the reason why the log was refused, or null. Rejects with `RestoreUnfinished`. `prepare` is called before a loss is accepted. */
export async function acceptLossInMongo(
  { shared, own }: { readonly shared: Db; readonly own: Db },
  log: string,
  store: StoredLog,
  prepare: () => Promise<void> = async () => undefined,
): Promise<LogRefused | null> {
  try {
    await (await MongoInstallation.open({ shared, own }, log, store)).close();
    return null;
  } catch (error) {
    if (!(error instanceof LogRefused)) throw error;
    await prepare();
    const [stamps, marks] = collections(shared);
    const ownStamps = own.collection<StampDocument>('installation', durable);
    const installation = await idIn(stamps, (await ownStamps.findOne({ _id: THE_ONE }))?.installation);
    await marks.deleteOne({ _id: log });
    await ownStamps.replaceOne({ _id: THE_ONE }, { installation }, { upsert: true });
    return error;
  }
}

/** The reason why a service would refuse to start with its log; null if there is none, or no log. Changes nothing but the mark. */
export async function refusalInMongo(
  { shared, own }: { readonly shared: Db; readonly own: Db },
  log: string,
): Promise<LogRefused | RestoreUnfinished | null> {
  const begun = await unfinishedRestore(shared);
  if (begun) return new RestoreUnfinished(begun);
  const [stamps] = collections(shared);
  const marked = (await stamps.findOne({ _id: THE_ONE })) ?? (await own.collection('installation', durable).findOne());
  if (!marked) return null;
  try {
    await (await MongoInstallation.open({ shared, own }, log, storedLog(own))).close();
    return null;
  } catch (error) {
    if (error instanceof LogRefused) return error;
    throw error;
  }
}

/** Marks a database as one of a restored installation, and the shared one with the ends of its logs. */
export async function stampRestored(db: Db, installation: string, marks: Readonly<Record<string, Mark>> = {}): Promise<void> {
  const [stamps, ends] = collections(db);
  for (const [_id, { position, commit }] of Object.entries(marks)) if (commit !== null) await ends.insertOne({ _id, position, commit });
  await stamps.replaceOne({ _id: THE_ONE }, { installation }, { upsert: true });
}

function collections(shared: Db) {
  return [
    shared.collection<StampDocument>('installation', durable),
    shared.collection<MarkDocument>('installation_marks', durable),
  ] as const;
}

/** The ID. It is created if there is none. */
async function idIn(stamps: Collection<StampDocument>, ifNone = newId()): Promise<string> {
  await insertOnce(stamps, { _id: THE_ONE, installation: ifNone });
  return (await stamps.findOne({ _id: THE_ONE }))!.installation;
}

async function insertOnce(stamps: Collection<StampDocument>, document: StampDocument): Promise<void> {
  await ignoringDuplicates(stamps.insertOne(document));
}

/** Never moves a mark back, because another process may have written a later one. */
async function keepMark(marks: Collection<MarkDocument>, log: string, mark: Mark): Promise<void> {
  const earlier = { _id: log, position: { $lt: mark.position } };
  await ignoringDuplicates(marks.updateOne(earlier, { $set: { position: mark.position, commit: mark.commit } }, { upsert: true }));
}

async function ignoringDuplicates(write: Promise<unknown>): Promise<void> {
  try {
    await write;
  } catch (error) {
    if (!(error instanceof MongoServerError) || error.code !== DUPLICATE_KEY) throw error;
  }
}

async function commitAt(store: StoredLog, position: number): Promise<string | null> {
  const [commit] = await store.readAll(position - 1, 1);
  return commit?.position === position ? firstId(commit) : null;
}

const firstId = ({ events }: Commit) => events[0]?.id ?? null;

function refusalOf(db: Db, log: string, reason: string): LogRefused {
  return new LogRefused(log, { where: `database ${db.databaseName}`, remedy: 'restore the database from a backup' }, reason);
}
