import { type AnyBulkWriteOperation, BSON, type ClientSession, type Collection, type Db, type MongoClient } from 'mongodb';
import type { Build } from './builds.ts';
import { closed, gather, type Gathered, type Open, type Write } from './changes.ts';
import { GRACE_MS, MongoBuilds } from './mongo-builds.ts';
import { documentOf, encode, filterOf, pathOf, rowOf, type RowDocument, sortOf } from './mongo-documents.ts';
import { MongoGate } from './mongo-gate.ts';
import { collectionName, isDuplicate } from './mongo-tables.ts';
import { MongoWriters } from './mongo-writers.ts';
import { Owners } from './owners.ts';
import { pageOf, plan } from './query.ts';
import { type Batch, type Page, type Query, ReadModels, type Row, type Table, type TableOwner } from './read-models.ts';

/** Read models in a MongoDB database (a replica set or sharded cluster: batches are transactions). The client stays its opener's to close. */
export async function openMongoReadModels(client: MongoClient, db: Db): Promise<ReadModels> {
  const durable = client.db(db.databaseName, {
    writeConcern: { w: 'majority', journal: true },
    readPreference: 'primary',
    ignoreUndefined: true,
  });
  const gate = new MongoGate(durable);
  await gate.open();
  const writers = new MongoWriters(client, durable);
  const builds = new MongoBuilds(writers, durable, gate);
  return new MongoReadModels({ writers, db: durable, owners: new Owners(), gate, builds }, null);
}

/** What the views of all generations share. */
interface Shared {
  readonly writers: MongoWriters;
  readonly db: Db;
  readonly owners: Owners;
  readonly gate: MongoGate;
  readonly builds: MongoBuilds;
}

/** Thrown to leave the transaction when one of the events had been seen before. */
class Repeat extends Error {}

class MongoReadModels extends ReadModels {
  override readonly builds: MongoBuilds;
  private readonly writers: MongoWriters;
  private readonly db: Db;
  private readonly owners: Owners;
  private readonly gate: MongoGate;

  constructor(
    private readonly shared: Shared,
    private readonly pinned: Build | null,
  ) {
    super();
    ({ writers: this.writers, db: this.db, owners: this.owners, gate: this.gate, builds: this.builds } = shared);
  }

  async prepare(owners: readonly TableOwner[]): Promise<void> {
    for (const owner of owners) this.owners.add(owner);
    await this.builds.prepare(owners);
  }

  at(build: Build): ReadModels {
    return new MongoReadModels(this.shared, build);
  }

  async get<R extends Row>(table: Table<R>, key: string): Promise<R | null> {
    const found = await this.reading(table, (rows) => rows.findOne({ _id: key }));
    return found && (rowOf(found) as R);
  }

  async getMany<R extends Row>(table: Table<R>, keys: readonly string[]): Promise<ReadonlyMap<string, R>> {
    const found = await this.reading(table, (rows) => rows.find({ _id: { $in: [...keys] } }).toArray());
    return new Map(found.map((one) => [one._id, rowOf(one) as R]));
  }

  async find<R extends Row>(table: Table<R>, query: Query): Promise<Page<R>> {
    const planned = plan(table, query);
    const { documents, isFull } = await this.reading(table, async (rows) => {
      const documents: RowDocument[] = [];
      let left = planned.bytes;
      for (const stretch of planned.stretches) {
        const limit = planned.limit + 1 - documents.length;
        for await (const document of rows.find(filterOf(planned, stretch)).sort(sortOf(planned, stretch)).limit(limit)) {
          documents.push(document);
          if (left !== Infinity) left -= BSON.calculateObjectSize(document);
          if (left <= 0) break;
        }
        if (documents.length > planned.limit || left <= 0) break;
      }
      return { documents, isFull: left <= 0 };
    });
    return pageOf(
      planned,
      documents.map((one) => ({ key: one._id, row: rowOf(one) })),
      isFull,
    ) as Page<R>;
  }

  async apply(batch: Batch): Promise<boolean> {
    const { projection, checkpoint, changes } = batch;
    this.owners.check(projection, changes);
    const gathered = gather(changes);
    const seen = [...new Set(batch.seen)];
    // Read anew where it matters: a batch for a generation that has gone is refused, and the caller looks again.
    const generation = this.pinned?.generation ?? (await this.builds.living(projection)).generation;
    const build = { projection, generation };
    if (checkpoint && changes.length === 0 && seen.length === 0) {
      await this.gate.pass(build, checkpoint);
      return true;
    }
    try {
      await this.writers.transact(async (session) => {
        await this.gate.pass(build, checkpoint, session);
        if (seen.length > 0) await this.rememberOnce(build, seen, session);
        await this.write(gathered, generation, session);
      });
      return true;
    } catch (error) {
      if (error instanceof Repeat) return false;
      throw error;
    }
  }

  async unseen(projection: string, ids: readonly string[]): Promise<readonly string[]> {
    const generation = this.pinned?.generation ?? (await this.builds.living(projection)).generation;
    return this.gate.unseen({ projection, generation }, ids);
  }

  pruneSeen(before: number): Promise<number> {
    return this.gate.pruneSeen(before);
  }

  async checkpoint(projection: string): Promise<number> {
    return this.pinned ? this.builds.checkpoint(this.pinned) : (await this.builds.living(projection)).checkpoint;
  }

  async close(): Promise<void> {
    this.builds.close();
    await this.writers.close();
  }

  private rows(table: string, generation: number): Collection<RowDocument> {
    return this.db.collection(collectionName(table, generation));
  }

  /** Reads the generation that lives; again, if that took so long that its collections may have been dropped meanwhile. */
  private async reading<Result>(table: Table, read: (rows: Collection<RowDocument>) => Promise<Result>): Promise<Result> {
    const projection = this.owners.of(table);
    if (this.pinned) return read(this.rows(table.name, this.pinned.generation));
    for (;;) {
      const { generation, at } = await this.builds.believed(projection);
      const result = await read(this.rows(table.name, generation));
      if (performance.now() - at < GRACE_MS) return result;
    }
  }

  private async rememberOnce(
    build: Pick<Build, 'projection' | 'generation'>,
    seen: readonly string[],
    session: ClientSession,
  ): Promise<void> {
    // Asked first, since a duplicate key costs the server the whole transaction.
    if ((await this.gate.unseen(build, seen, session)).length < seen.length) throw new Repeat();
    try {
      await this.gate.remember(build, seen, session);
    } catch (error) {
      throw isDuplicate(error) ? new Repeat() : error;
    }
  }

  /** Rows that are read first are safe too: whoever changed one since this transaction's snapshot makes it start again. */
  private async write({ writes, open }: Gathered, generation: number, session: ClientSession): Promise<void> {
    const tables = Map.groupBy<string, Write | Open>([...writes, ...open], ({ table }) => table.name);
    for (const [table, changes] of tables) {
      const rows = this.rows(table, generation);
      const toRead = changes.flatMap(asOpen);
      const present = toRead.length === 0 ? [] : await rows.find({ _id: { $in: toRead.map(({ key }) => key) } }, { session }).toArray();
      const known = new Map(present.map((one) => [one._id, rowOf(one)]));
      const decided = toRead.map((one) => closed(one, known.get(one.key) ?? null)).filter((write) => write !== null);
      const blind = changes.filter((change): change is Write => asOpen(change).length === 0);
      const operations = [...blind, ...decided].map(operation);
      // In order, because an unordered one is not stopped by a conflict in a transaction that is lost already.
      if (operations.length > 0) await rows.bulkWrite(operations, { session, ordered: true });
    }
  }
}

/** Additions are made here and not by `$inc`, which rounds sums beyond 2^53 without a word. */
function asOpen(change: Write | Open): Open[] {
  if (!('op' in change)) return [change];
  return change.op === 'add' ? [{ table: change.table, key: change.key, changes: [change] }] : [];
}

function operation(write: Write): AnyBulkWriteOperation<RowDocument> {
  const filter = { _id: write.key };
  switch (write.op) {
    case 'put':
      return { replaceOne: { filter, replacement: { r: documentOf(write.key, write.row).r }, upsert: true } };
    case 'patch':
      return {
        updateOne: {
          filter,
          update: { $set: Object.fromEntries(Object.entries(write.fields).map(([field, value]) => [pathOf(field), encode(value)])) },
        },
      };
    case 'remove':
      return { deleteOne: { filter } };
    case 'add':
      throw new Error('additions are made from the row that was read');
  }
}
