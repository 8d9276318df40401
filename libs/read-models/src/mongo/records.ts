import type { ClientSession, Collection, Db, Document } from 'mongodb';
import { CheckpointMoved } from '../errors.ts';
import { firstIdOf, generationOf } from '../declared.ts';
import { type Batch, firstRevision, type Generation, type Parked, type Parking, type Progress, type Step } from '../read-models.ts';
import type { TableOwner } from '../table.ts';
import { ensureCollection, isDuplicate } from './collections.ts';

/** A progress record as it is stored. */
export interface Stored {
  readonly _id: string;
  readonly id: string;
  readonly line: string;
  readonly revision: number;
  readonly at: string;
  readonly ready: boolean;
  readonly stopped: string | null;
  readonly usedAt: number;
  readonly tables: readonly string[];
  /** Its rows are being removed. */
  readonly leaving: boolean;
}

/** A version that was marked, in order to drop it. */
interface Left {
  readonly tables: readonly string[];
  readonly revision: number;
  readonly wasReady: boolean;
  /** The latest time at which the mark can have been written (ms), by the clock of the process that marked it. */
  readonly leftBy: number;
}

interface StoredParking extends Parking {
  readonly _id: string;
  readonly id: string;
  readonly line: string;
}

/** The position of a record for which nothing has been written yet. */
export const BEGINNING = '0';

function recordId(id: string, line: string): string {
  return `${id}#${line}`;
}

function parkingId(id: string, line: string, key: string, number: number): string {
  return `${id}#${line}#${number}#${key}`;
}

function fresh(id: string, line: string, at: string): Stored {
  const rest = { revision: firstRevision(), ready: false, stopped: null, usedAt: Date.now(), tables: [], leaving: false };
  return { _id: recordId(id, line), id, line, at, ...rest };
}

export class MongoRecords {
  private readonly progress: Collection<Stored>;
  private readonly parking: Collection<StoredParking>;

  constructor(
    private readonly db: Db,
    /** The longest time (ms) that a write can take. */
    private readonly longestWriteMs: number,
  ) {
    this.progress = db.collection('read_model_progress');
    this.parking = db.collection('read_model_parked');
  }

  async open(): Promise<void> {
    for (const { collectionName } of [this.progress, this.parking]) await ensureCollection(this.db, collectionName);
    await this.progress.createIndex({ id: 1, line: 1 });
    await this.parking.createIndex({ id: 1, line: 1, key: 1, number: 1 });
    await this.parking.createIndex({ id: 1, key: 1 });
  }

  of(id: string, line: string): Promise<Stored | null> {
    return this.progress.findOne({ _id: recordId(id, line) });
  }

  /** The stored generations of a version, oldest first. The slash is the character after the dot in ASCII. */
  async generations(owner: TableOwner): Promise<Generation[]> {
    const first = firstIdOf(owner);
    const ids = { $or: [{ id: first }, { id: { $gt: `${first}.`, $lt: `${first}/` } }] };
    const found = await this.progress.find({ line: '', leaving: false, ...ids }).toArray();
    return generationsAmong(found, owner);
  }

  /** The same of several versions, by the name of the owner, in one command. */
  async generationsOfAll(owners: readonly TableOwner[]): Promise<Map<string, Generation[]>> {
    const found = await this.progress.find({ line: '', leaving: false }, { projection: { id: 1, ready: 1, usedAt: 1 } }).toArray();
    return new Map(owners.map((owner) => [owner.name, generationsAmong(found, owner)]));
  }

  async isReady(id: string, session?: ClientSession): Promise<boolean> {
    return (await this.progress.findOne({ _id: recordId(id, ''), ready: true, leaving: false }, session ? { session } : {})) !== null;
  }

  async use(id: string, tables: readonly string[]): Promise<void> {
    await this.progress.insertOne(fresh(id, '', BEGINNING)).catch((error: unknown) => {
      if (!isDuplicate(error)) throw error;
    });
    const update = { $set: { usedAt: Date.now() }, $addToSet: { tables: { $each: [...tables] } } };
    await this.progress.updateOne({ _id: recordId(id, '') }, update);
  }

  async lines(id: string): Promise<Map<string, string>> {
    const found = await this.progress
      .find({ id, line: { $ne: '' } })
      .sort({ line: 1 })
      .toArray();
    return new Map(found.map(({ line, at }) => [line, at]));
  }

  /** Advances the record. Rejects with `CheckpointMoved` unless it is as its writer knows it. */
  async move(id: string, { from, reached, stopped: reason }: Batch, at: string, session?: ClientSession): Promise<Progress> {
    const stopped = reason ?? null;
    const { projection, line, revision } = from;
    const ready = from.ready || reached === 1;
    const filter = { _id: recordId(id, line), revision, leaving: false };
    const update = { $set: { at, ready, stopped }, $inc: { revision: 1 } };
    const { matchedCount } = await this.progress.updateOne(filter, update, session ? { session } : {});
    if (matchedCount === 0) throw new CheckpointMoved(projection);
    return { projection, line, revision: revision + 1, at, ready, live: false, stopped };
  }

  /** What a batch writes besides rows and its own record. */
  async write(id: string, { from: { line }, steps, lines = {} }: Batch, session: ClientSession): Promise<void> {
    const places = Object.entries(lines);
    if (places.length > 0) {
      await this.progress.insertMany(
        places.map(([name, at]) => fresh(id, name, at)),
        { session },
      );
    }
    const parkings = steps.flatMap(parkingOf(id, line));
    if (parkings.length > 0) await this.parking.bulkWrite(parkings, { session, ordered: true });
  }

  async parked(id: string, limit: number, key?: string): Promise<Parked[]> {
    const group: Document = {
      _id: { line: '$line', key: '$key' },
      first: { $min: '$number' },
      last: { $max: '$number' },
      count: { $sum: 1 },
      reason: { $max: '$reason' },
    };
    const found = this.parking.aggregate<Omit<Parked, 'line' | 'key'> & { _id: Pick<Parked, 'line' | 'key'> }>([
      { $match: { id, ...(key !== undefined && { key }) } },
      { $group: group },
      { $sort: { _id: 1 } },
      { $limit: limit },
    ]);
    return (await found.toArray()).map(({ _id, first, last, count, reason }) => ({ ..._id, first, last, count, reason }));
  }

  async letters(id: string, { line, key }: Pick<Parked, 'line' | 'key'>, limit: number): Promise<Parking[]> {
    const found = await this.parking.find({ id, line, key }).sort({ number: 1 }).limit(limit).toArray();
    return found.map(({ number, reason, letter }) => ({
      key,
      number,
      reason,
      ...(letter !== undefined && { letter: JSON.parse(letter as string) as unknown }),
    }));
  }

  /** Marks a version, so that nothing more is written to it. Null if there is no record of it. */
  async leave(id: string): Promise<Left | null> {
    const isNew = { _id: recordId(id, ''), leaving: false };
    const update = { $set: { leaving: true, ready: false, usedAt: Date.now() }, $inc: { revision: 1 } };
    const before = await this.progress.findOneAndUpdate(isNew, update);
    // Others read the record as ready until the mark is written, and that may take long.
    const markedBy = Date.now();
    const marked = before ?? (await this.of(id, ''));
    await this.progress.deleteMany({ id, line: { $ne: '' } });
    if (!marked) return null;
    const { tables, revision, ready, usedAt } = marked;
    if (before) return { tables, revision: revision + 1, wasReady: ready, leftBy: markedBy };
    // A mark does not show whether the rows were ready, and its time is from before its write.
    return { tables, revision, wasReady: true, leftBy: usedAt + this.longestWriteMs };
  }

  async isLeaving(id: string, revision: number): Promise<boolean> {
    return (await this.progress.findOne({ _id: recordId(id, ''), revision, leaving: true })) !== null;
  }

  /** Only records of projections of other services' events have positions by source. */
  async leaveForeign(): Promise<void> {
    await this.progress.updateMany({ line: '', at: /^\{/ }, { $set: { leaving: true, ready: false }, $inc: { revision: 1 } });
  }

  async forget(id: string): Promise<void> {
    await this.parking.deleteMany({ id });
    await this.progress.deleteMany({ id });
  }

  async unused(before: number): Promise<string[]> {
    const found = await this.progress.find({ line: '', $or: [{ leaving: true }, { usedAt: { $lt: before } }] }).toArray();
    return found.map(({ id }) => id);
  }
}

function generationsAmong(found: readonly Pick<Stored, 'id' | 'ready' | 'usedAt'>[], owner: TableOwner): Generation[] {
  return found
    .map(({ id, ready, usedAt }) => ({ number: generationOf(owner, id), ready, usedAt }))
    .filter((one): one is Generation => one.number !== null)
    .sort((one, other) => one.number - other.number);
}

function parkingOf(id: string, line: string) {
  return ({ park, unpark }: Step) => [
    ...(unpark ? [{ deleteOne: { filter: { _id: parkingId(id, line, unpark.key, unpark.number) } } }] : []),
    ...(park ? [{ insertOne: { document: stored(id, line, park) } }] : []),
  ];
}

/** Letters as text, because they may contain field names that MongoDB does not accept. */
function stored(id: string, line: string, { key, number, reason, letter }: Parking): StoredParking {
  const text = letter === undefined ? {} : { letter: JSON.stringify(letter) };
  return { _id: parkingId(id, line, key, number), id, line, key, number, reason, ...text };
}
