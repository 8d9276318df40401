import type { Commit } from '@parlance/event-store';
import type { SqliteFile, Transaction } from '@parlance/sqlite';
import { Declarations, type Declared, generationToUse } from '../declared.ts';
import { NotPrepared } from '../errors.ts';
import type { Projection } from '../projection.ts';
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
import { generationsOf } from './generations.ts';
import { Live, settle } from './live.ts';
import { records, SCHEMA, type Stored } from './records.ts';
import { dropOld, dropVersion, isThere, LEAVE_FOREIGN, removeRows, rowsBefore, unused } from './removal.ts';
import { Rows } from './rows.ts';
import { progressIn, Units } from './units.ts';
import type { Row, Table, TableOwner } from '../table.ts';

const settled = new WeakSet<SqliteFile>();

/** Read models in a SQLite file, which the caller closes. Rows can be live only if the event log is in the same file. */
export async function openSqliteReadModels(file: SqliteFile): Promise<SqliteReadModels> {
  await file.migrate(SCHEMA);
  if (!settled.has(file)) await file.write(settle);
  settled.add(file);
  return new SqliteReadModels(file, '');
}

/**
 * Marks all read models of other services' events, so that the next process that declares them builds them from the beginning. Used after a
 * log that they were built from has lost events. No process may be using the file.
 */
export async function rebuildForeign(file: SqliteFile): Promise<void> {
  await file.migrate(SCHEMA);
  await file.write((transaction) => transaction.run(LEAVE_FOREIGN));
}

interface StoredRow {
  readonly key: string;
  readonly row: string;
}

export class SqliteReadModels extends ReadModels {
  private readonly declarations: Declarations;
  private readonly rowsOf = new Map<string, Rows>();
  private readonly unitsOf = new Map<string, Units>();
  private readonly live: Live;
  private inline: readonly Projection[] = [];
  readonly isShared = false;

  constructor(
    private readonly file: SqliteFile,
    private readonly mark: string,
    /** The generation of all its rows. Undefined if `prepare` chooses it. */
    private readonly fixed?: number,
  ) {
    super();
    this.declarations = new Declarations(mark);
    this.live = Live.of(file);
  }

  /** For the event store's option of this name: writes the rows of these projections in the transaction of each append, once they are complete. */
  besideAppend(projections: readonly Projection[]): (transaction: Transaction, commit: Commit) => void {
    this.inline = projections;
    return this.live.beside;
  }

  override mayBeLive(projection: string): boolean {
    return this.live.mayCarry(this.declarations.named(projection).id);
  }

  built(projection: string): number {
    return this.declarations.named(projection).built;
  }

  async prepare(owners: readonly TableOwner[]): Promise<void> {
    const choose = (owner: TableOwner) =>
      this.fixed ?? this.declarations.generationOf(owner.name) ?? generationToUse(generationsOf(this.file, owner));
    const declared = owners.map((owner) => this.declarations.add(owner, choose(owner)));
    await Promise.all(declared.map((one) => this.create(one)));
  }

  async get<R extends Row>(table: Table<R>, key: string): Promise<R | null> {
    const arriving = this.arrived(table);
    if (arriving) await arriving;
    const stored = this.file.get<StoredRow>(this.readable(table).get, key);
    return stored ? (JSON.parse(stored.row) as R) : null;
  }

  async getMany<R extends Row>(table: Table<R>, keys: readonly string[]): Promise<ReadonlyMap<string, R>> {
    // The statement for many keys costs about 70 µs before its first row.
    const [only] = keys;
    if (only !== undefined && keys.length === 1) {
      const row = await this.get(table, only);
      return row ? new Map([[only, row]]) : new Map();
    }
    const arriving = this.arrived(table);
    if (arriving) await arriving;
    const stored = this.file.all<StoredRow>(this.readable(table).getMany, JSON.stringify(keys));
    return new Map(stored.map(({ key, row }) => [key, JSON.parse(row) as R]));
  }

  async find<R extends Row>(table: Table<R>, query: Query): Promise<Page<R>> {
    const planned = plan(table, query);
    const arriving = this.arrived(table);
    if (arriving) await arriving;
    const sql = this.readable(table);
    const page = new PageOf(planned);
    for (const stretch of planned.stretches) {
      const { sql: text, params } = sql.select(planned, stretch);
      const limit = { rows: page.rows, bytes: page.bytes, sizeOf: ({ row }: StoredRow) => row.length };
      for (const { key, row } of this.file.upTo(limit, text, ...params, page.rows)) page.add(key, JSON.parse(row) as Row, row.length);
      if (page.isFull) break;
    }
    return page.end() as Page<R>;
  }

  /** In a unit of work, so that it runs after the current writes. */
  async progress(projection: string, line = ''): Promise<Progress> {
    const declared = this.declarations.named(projection);
    const progress = await this.file.write((transaction) => this.read(transaction, declared, line));
    declared.learn(progress);
    return progress;
  }

  async lines(projection: string): Promise<ReadonlyMap<string, string>> {
    const { id } = this.declarations.named(projection);
    const sql = `SELECT line, at FROM read_model_progress WHERE id = ? AND line <> '' ORDER BY line`;
    return new Map(this.file.all<Stored>(sql, id).map(({ line, at }) => [line, at]));
  }

  async apply(batch: Batch): Promise<Progress> {
    const declared = this.declarations.named(batch.from.projection);
    const progress = await this.unitsOf.get(batch.from.projection)!.apply(batch);
    declared.reached = batch.reached ?? declared.reached;
    declared.learn(progress);
    return progress;
  }

  async parked(projection: string, limit: number, key?: string): Promise<readonly Parked[]> {
    return records.parked(this.file, this.declarations.named(projection).id, limit, key);
  }

  async letters(projection: string, { line, key }: Pick<Parked, 'line' | 'key'>, limit: number): Promise<readonly Parking[]> {
    return records.letters(this.file, this.declarations.named(projection).id, line, key, limit);
  }

  async drop(projection: string): Promise<void> {
    const declared = this.declarations.named(projection);
    declared.ready = false;
    await dropVersion(this.file, declared.id);
    // Set only now, because each append must write the rows while the record says live.
    this.live.release(declared.id);
  }

  async sweep(before: number): Promise<readonly string[]> {
    await dropOld(this.file);
    const mine = new Set(this.declarations.ids);
    const ids = unused(this.file, before).filter((id) => !mine.has(id));
    for (const id of ids) await dropVersion(this.file, id);
    return ids;
  }

  async removeBefore(table: Table, key: string): Promise<number> {
    const { id, suffix } = this.declarations.of(table);
    return removeRows(this.file, id, table.name + suffix, rowsBefore(table.name + suffix, key));
  }

  async removeUpTo(table: Table, index: string, limit: number): Promise<number> {
    const { id, suffix, owner } = this.declarations.of(table);
    const planned = plan(table, { index, to: limit, limit: 1 });
    const select = this.rowsOf.get(owner.name)!.table(table.name).select(planned, planned.stretches[0]!);
    return removeRows(this.file, id, table.name + suffix, select);
  }

  generation(projection: string): number {
    return this.declarations.named(projection).generation;
  }

  async generations(projection: string): Promise<readonly Generation[]> {
    return generationsOf(this.file, this.declarations.named(projection).owner);
  }

  beside(generation: number): ReadModels {
    return this.copy(this.mark, generation);
  }

  async adopt(projection: string, generation: number): Promise<void> {
    await this.create(this.declarations.add(this.declarations.named(projection).owner, generation));
  }

  scratch(): ReadModels {
    return this.copy(`${this.mark}~`, 0);
  }

  async close(): Promise<void> {}

  private copy(mark: string, generation: number): ReadModels {
    const copy = new SqliteReadModels(this.file, mark, generation);
    copy.inline = this.inline;
    return copy;
  }

  private async create(declared: Declared): Promise<void> {
    const { owner, id } = declared;
    const stored = records.of(this.file, id, '');
    const isLost = stored?.leaving === 0 && (JSON.parse(stored.tables) as string[]).some((table) => !isThere(this.file, table));
    if (isLost || stored?.leaving) await dropVersion(this.file, id);
    if (isLost) this.onLost(owner.name);
    const rows = new Rows(declared);
    this.rowsOf.set(owner.name, rows);
    this.unitsOf.set(owner.name, new Units(this.file, rows, this.live));
    const progress = await this.file.write((transaction) => {
      records.insert(transaction, id, '', '0');
      const { tables } = records.of(transaction, id, '')!;
      const names = owner.tables.map(({ name }) => name + declared.suffix);
      records.use(transaction, id, [...new Set([...(JSON.parse(tables) as string[]), ...names])]);
      rows.create(transaction);
      return this.read(transaction, declared, '');
    });
    declared.learn(progress);
    const projection = this.inline.find(({ name }) => name === owner.name);
    if (projection) this.live.carry(projection, rows, () => this.onBehind(owner.name));
  }

  /** Makes reads include all events that have arrived. Undefined if no events wait, so that reads do not have to create a promise. */
  private arrived(table: Table): Promise<void> | undefined {
    return this.pendingFlushes.get(this.declarations.of(table).owner.name)?.();
  }

  private readable(table: Table) {
    const declared = this.declarations.of(table);
    if (!declared.ready) {
      const stored = records.of(this.file, declared.id, '');
      if (!stored?.ready) throw declared.building();
      declared.ready = true;
    }
    return this.rowsOf.get(declared.owner.name)!.table(table.name);
  }

  private read(transaction: Transaction, declared: Declared, line: string): Progress {
    const stored = records.of(transaction, declared.id, line);
    if (!stored) throw new NotPrepared(`${declared.id} ${line}`);
    return progressIn(transaction, this.rowsOf.get(declared.owner.name)!, stored);
  }
}
