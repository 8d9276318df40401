import type { Db, MongoClient } from 'mongodb';
import { check } from '../changes.ts';
import { Declarations, type Declared, generationToUse } from '../declared.ts';
import { NotPrepared } from '../errors.ts';
import { sizeOf } from '../fold.ts';
import { durable, longestWriteMs } from './collections.ts';
import { createVersion } from './create-version.ts';
import { dropOld, dropVersion } from './drop-version.ts';
import { filtersOf, rowOf, sortOf } from './documents.ts';
import { ReadyRows } from './ready-rows.ts';
import { MongoRecords } from './records.ts';
import { removeRows } from './remove-rows.ts';
import { writeChanges } from './write-changes.ts';
import { MongoWriters } from './writers.ts';
import { PageOf, plan } from '../query.ts';
import {
  type Batch,
  type Generation,
  type Page,
  type Parked,
  type Parking,
  type Progress,
  type Query,
  ReadModels,
} from '../read-models.ts';
import type { Row, Table, TableOwner } from '../table.ts';

export interface MongoReadModelsOptions {
  /**
   * How long rows count as ready after their record was read. Rows that other processes may be reading are dropped this long after they were marked,
   * so no process reads a part of them.
   */
  readonly believedMs?: number;
}

/** Longer than the time between two reads of all records (`LOOK_MS` of rebuilds), so an idle process reads no record for a query alone. */
const READY_BELIEVED_MS = 15_000;

/** Read models in a MongoDB database (a replica set or sharded cluster, because batches are transactions). The caller closes the client. */
export async function openMongoReadModels(
  client: MongoClient,
  db: Db,
  { believedMs = READY_BELIEVED_MS }: MongoReadModelsOptions = {},
): Promise<ReadModels> {
  const lasting = client.db(db.databaseName, durable);
  const records = new MongoRecords(lasting, longestWriteMs(client));
  await records.open();
  return new MongoReadModels({ db: lasting, records, writers: new MongoWriters(client, lasting), believedMs }, '');
}

/**
 * Marks all read models of other services' events, so that the next process that declares them builds them from the beginning. Used after a
 * log that they were built from has lost events. No process may be using the database.
 */
export async function rebuildForeign(client: MongoClient, db: Db): Promise<void> {
  await new MongoRecords(client.db(db.databaseName, durable), longestWriteMs(client)).leaveForeign();
}

interface Shared {
  readonly db: Db;
  readonly records: MongoRecords;
  readonly writers: MongoWriters;
  readonly believedMs: number;
}

class MongoReadModels extends ReadModels {
  private readonly declarations: Declarations;
  private readonly ready: ReadyRows;
  readonly isShared = true;

  constructor(
    private readonly shared: Shared,
    private readonly mark: string,
    /** The generation of all its rows. Undefined if `prepare` chooses it. */
    private readonly fixed?: number,
  ) {
    super();
    this.declarations = new Declarations(mark);
    this.ready = new ReadyRows(shared, this.declarations);
  }

  built(projection: string): number {
    return this.declarations.named(projection).built;
  }

  async prepare(owners: readonly TableOwner[]): Promise<void> {
    const known = owners.map((owner) => this.fixed ?? this.declarations.generationOf(owner.name));
    const chosen = await Promise.all(
      owners.map(async (owner, place) => known[place] ?? generationToUse(await this.shared.records.generations(owner))),
    );
    for (const declared of owners.map((owner, place) => this.declarations.add(owner, chosen[place]!))) {
      await this.create(declared);
    }
  }

  generation(projection: string): number {
    return this.declarations.named(projection).generation;
  }

  generations(projection: string): Promise<readonly Generation[]> {
    return this.shared.records.generations(this.declarations.named(projection).owner);
  }

  override async generationsOfAll(): Promise<ReadonlyMap<string, readonly Generation[]>> {
    const askedAt = performance.now();
    const all = await this.shared.records.generationsOfAll(this.declarations.owners);
    for (const [name, generations] of all) {
      const declared = this.declarations.named(name);
      this.ready.believe(
        declared,
        generations.some(({ number, ready }) => number === declared.generation && ready),
        askedAt,
      );
    }
    return all;
  }

  beside(generation: number): ReadModels {
    return new MongoReadModels(this.shared, this.mark, generation);
  }

  async adopt(projection: string, generation: number): Promise<void> {
    const { owner } = this.declarations.named(projection);
    await this.create(this.declarations.add(owner, generation));
  }

  private create(declared: Declared): Promise<void> {
    return this.shared.writers.watching(() => createVersion(this.shared, declared, () => this.onLost(declared.owner.name)));
  }

  async get<R extends Row>(table: Table<R>, key: string): Promise<R | null> {
    const found = await this.ready.read(table, (rows) => rows.findOne({ _id: key }));
    return found && (rowOf(found) as R);
  }

  async getMany<R extends Row>(table: Table<R>, keys: readonly string[]): Promise<ReadonlyMap<string, R>> {
    const found = await this.ready.read(table, (rows) => rows.find({ _id: { $in: [...keys] } }).toArray());
    return new Map(found.map((one) => [one._id, rowOf(one) as R]));
  }

  async find<R extends Row>(table: Table<R>, query: Query): Promise<Page<R>> {
    const planned = plan(table, query);
    const page = new PageOf(planned);
    await this.ready.read(table, async (rows) => {
      for (const stretch of planned.stretches) {
        for (const filter of filtersOf(planned, stretch)) {
          for await (const one of rows.find(filter).sort(sortOf(planned, stretch)).limit(page.rows)) {
            page.add(one._id, rowOf(one), sizeOf(one.r));
            if (page.isFull) return;
          }
        }
      }
    });
    return page.end() as Page<R>;
  }

  async progress(projection: string, line = ''): Promise<Progress> {
    const declared = this.declarations.named(projection);
    const stored = await this.shared.records.of(declared.id, line);
    if (!stored || stored.leaving) throw new NotPrepared(`${declared.id} ${line}`);
    declared.learn(stored);
    const { revision, at, ready, stopped } = stored;
    return { projection, line, revision, at, ready, live: false, stopped };
  }

  lines(projection: string): Promise<ReadonlyMap<string, string>> {
    return this.shared.records.lines(this.declarations.named(projection).id);
  }

  async apply(batch: Batch): Promise<Progress> {
    const { db, records, writers } = this.shared;
    const declared = this.declarations.named(batch.from.projection);
    const changes = batch.steps.flatMap((step) => step.changes);
    for (const change of changes) {
      declared.check(change);
      check(change);
    }
    const at = batch.steps.findLast(({ to }) => to !== undefined)?.to ?? batch.from.at;
    const isPlain = changes.length === 0 && !batch.lines && batch.steps.every(({ park, unpark }) => !park && !unpark);
    const progress = isPlain
      ? await writers.watching(() => records.move(declared.id, batch, at))
      : await writers.transact(async (session) => {
          // The record is updated first, so that one of two concurrent writers fails before it has written rows.
          const moved = await records.move(declared.id, batch, at, session);
          // Partitions are followed only when the rows are ready. Their records are never marked as ready.
          const areNew = batch.from.line === '' && !batch.from.ready;
          await writeChanges(db, { suffix: declared.suffix, areNew }, changes, session);
          await records.write(declared.id, batch, session);
          return moved;
        });
    declared.reached = batch.reached ?? declared.reached;
    declared.learn(progress);
    return progress;
  }

  parked(projection: string, limit: number, key?: string): Promise<readonly Parked[]> {
    return this.shared.records.parked(this.declarations.named(projection).id, limit, key);
  }

  letters(projection: string, entry: Pick<Parked, 'line' | 'key'>, limit: number): Promise<readonly Parking[]> {
    return this.shared.records.letters(this.declarations.named(projection).id, entry, limit);
  }

  async drop(projection: string): Promise<void> {
    const declared = this.declarations.named(projection);
    declared.ready = false;
    // No other process reads a further copy, or a generation that `beside` returned.
    const readFor = this.fixed === undefined ? this.shared.believedMs : 0;
    await this.shared.writers.watching(() => dropVersion(this.shared, declared.id, readFor));
  }

  async sweep(before: number): Promise<readonly string[]> {
    const { db, records, writers } = this.shared;
    const mine = new Set(this.declarations.ids);
    const ids = (await records.unused(before)).filter((id) => !mine.has(id));
    for (const id of ids) await writers.watching(() => dropVersion(this.shared, id, 0));
    await dropOld(db);
    return ids;
  }

  async removeBefore(table: Table, key: string): Promise<number> {
    return removeRows(this.shared, this.declarations.of(table), { table, filter: { _id: { $lt: key } }, sort: { _id: 1 } });
  }

  async removeUpTo(table: Table, index: string, limit: number): Promise<number> {
    const planned = plan(table, { index, to: limit, limit: 1 });
    const stretch = planned.stretches[0]!;
    const rows = { table, filter: filtersOf(planned, stretch)[0]!, sort: sortOf(planned, stretch) };
    return removeRows(this.shared, this.declarations.of(table), rows);
  }

  scratch(): ReadModels {
    return new MongoReadModels(this.shared, `${this.mark}~`, 0);
  }

  async close(): Promise<void> {
    if (this.mark === '' && this.fixed === undefined) await this.shared.writers.close();
  }
}
