import { refuse } from '@parlance/decider';
import { type Collection, type Db, MongoServerError } from 'mongodb';
import { LimitRows, type RowChanged } from './rows.ts';

const DUPLICATE_KEY = 11_000;
/** How many times a change is tried if other processes change the row in between. Of concurrent attempts, one always succeeds. */
const TRIES = 50;

interface RowDocument {
  readonly _id: string;
  /** The number of changes. */
  readonly revision: number;
  readonly row: object;
  /** When MongoDB removes the document. */
  readonly until: Date;
}

/** Rows in the collection `limit_rows`, one small document each. MongoDB removes those that have not changed for long. */
export function openMongoLimitRows(db: Db): LimitRows {
  return new MongoLimitRows(
    db,
    db.collection<RowDocument>('limit_rows', {
      writeConcern: { w: 'majority', journal: true },
      readConcern: { level: 'majority' },
      readPreference: 'primary',
    }),
  );
}

class MongoLimitRows extends LimitRows {
  /** Services without such limits have no collection. */
  private prepared: Promise<unknown> | null = null;

  constructor(
    private readonly db: Db,
    private readonly rows: Collection<RowDocument>,
  ) {
    super();
  }

  override async change<Row extends object, Answer>(
    key: string,
    change: (row: Row | null, now: number) => RowChanged<Row, Answer>,
  ): Promise<Answer> {
    await this.prepare();
    for (let tries = 0; tries < TRIES; tries++) {
      // The time is read before the row is replaced, so the limit never counts more time than has passed.
      const [before, now] = await Promise.all([this.rows.findOne({ _id: key }), this.time()]);
      const isThere = before !== null && before.until.getTime() > now;
      const { row, keptMillis, answer } = change(isThere ? (before.row as Row) : null, now);
      const revision = (before?.revision ?? 0) + 1;
      const next = row && { revision, row, until: new Date(now + keptMillis) };
      if (await this.write(key, before, next)) return answer;
    }
    throw refuse('unavailable', 'limit_busy', 'Too many requests are waiting for this limit. Try again in a second.', { retry_after: 1 });
  }

  private prepare(): Promise<unknown> {
    return (this.prepared ??= this.rows.createIndex({ until: 1 }, { expireAfterSeconds: 0 }).catch((error: unknown) => {
      this.prepared = null;
      throw error;
    }));
  }

  /** False if another process has changed the row since `before` was read. */
  private async write(key: string, before: RowDocument | null, next: Omit<RowDocument, '_id'> | null): Promise<boolean> {
    if (!before) return next === null || this.insert({ _id: key, ...next });
    const same = { _id: key, revision: before.revision };
    if (!next) return (await this.rows.deleteOne(same)).deletedCount === 1;
    return (await this.rows.replaceOne(same, next)).matchedCount === 1;
  }

  /** The clock of the primary, which all processes share. */
  private async time(): Promise<number> {
    const { localTime } = (await this.db.command({ hello: 1 }, { readPreference: 'primary' })) as { localTime: Date };
    return localTime.getTime();
  }

  private async insert(document: RowDocument): Promise<boolean> {
    try {
      await this.rows.insertOne(document);
      return true;
    } catch (error) {
      if (error instanceof MongoServerError && error.code === DUPLICATE_KEY) return false;
      throw error;
    }
  }
}
