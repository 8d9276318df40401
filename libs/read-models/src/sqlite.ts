import { type SqliteFile, type Step, UnitUndone } from '@parlance/sqlite';
import type { Build } from './builds.ts';
import { closed, gather, type Gathered, notExact, type Open, type Write } from './changes.ts';
import { CheckpointMoved, Held } from './errors.ts';
import { Owners } from './owners.ts';
import { pageOf, plan } from './query.ts';
import { type Batch, type Page, type Query, ReadModels, type Row, type Table, type TableOwner } from './read-models.ts';
import { SCHEMA, SqliteBuilds } from './sqlite-builds.ts';
import { type Statement, TableSql } from './sqlite-sql.ts';
import { Turns } from './turns.ts';

/** How often a batch is tried because another process changed a row between its reading and its writing. */
const TRIES = 20;

/** Read models in a SQLite file, which stays its opener's to close. */
export async function openSqliteReadModels(file: SqliteFile): Promise<ReadModels> {
  await file.migrate(SCHEMA);
  const owners = new Owners();
  return new SqliteReadModels({ file, owners, builds: new SqliteBuilds(file), tables: new Map(), turns: new Turns() }, null);
}

/** What the views of all generations share. */
interface Shared {
  readonly file: SqliteFile;
  readonly owners: Owners;
  readonly builds: SqliteBuilds;
  readonly tables: Map<string, TableSql>;
  readonly turns: Turns;
}

interface StoredRow {
  readonly key: string;
  readonly row: string;
}

class SqliteReadModels extends ReadModels {
  override readonly builds: SqliteBuilds;
  private readonly file: SqliteFile;
  private readonly owners: Owners;
  private readonly tables: Map<string, TableSql>;

  constructor(
    private readonly shared: Shared,
    private readonly pinned: Build | null,
  ) {
    super();
    ({ file: this.file, owners: this.owners, builds: this.builds, tables: this.tables } = shared);
  }

  async prepare(owners: readonly TableOwner[]): Promise<void> {
    for (const owner of owners) this.owners.add(owner);
    await this.builds.prepare(owners);
  }

  at(build: Build): ReadModels {
    return new SqliteReadModels(this.shared, build);
  }

  async get<R extends Row>(table: Table<R>, key: string): Promise<R | null> {
    const stored = this.file.get<StoredRow>(this.sqlOf(table).get, key);
    return stored ? (JSON.parse(stored.row) as R) : null;
  }

  async getMany<R extends Row>(table: Table<R>, keys: readonly string[]): Promise<ReadonlyMap<string, R>> {
    const stored = this.file.all<StoredRow>(this.sqlOf(table).getMany, JSON.stringify(keys));
    return new Map(stored.map(({ key, row }) => [key, JSON.parse(row) as R]));
  }

  async find<R extends Row>(table: Table<R>, query: Query): Promise<Page<R>> {
    return this.page(table, query) as Page<R>;
  }

  async apply(batch: Batch): Promise<boolean> {
    this.owners.check(batch.projection, batch.changes);
    const gathered = gather(batch.changes);
    const write = () => this.write(batch, gathered);
    // One after the other where rows are read first: of many at once each would find its row changed by the one before.
    return gathered.open.length > 0 ? this.shared.turns.take(batch.projection, write) : write();
  }

  async unseen(projection: string, ids: readonly string[]): Promise<readonly string[]> {
    return this.builds.unseen(projection, this.generationOf(projection), ids);
  }

  pruneSeen(before: number): Promise<number> {
    return this.builds.pruneSeen(before);
  }

  async checkpoint(projection: string): Promise<number> {
    return this.builds.checkpoint(projection, this.generationOf(projection));
  }

  async close(): Promise<void> {}

  private async write(batch: Batch, gathered: Gathered): Promise<boolean> {
    const seen = [...new Set(batch.seen)];
    for (let tries = 1; ; tries += 1) {
      const generation = this.generationOf(batch.projection);
      if (seen.length > 0 && this.builds.unseen(batch.projection, generation, seen).length < seen.length) return false;
      const { steps, writes, guards } = this.stepsOf(batch, generation, seen, gathered);
      try {
        await this.file.write(steps);
        return true;
      } catch (error) {
        if (!(error instanceof UnitUndone)) throw error;
        if (error.index === 0)
          throw this.builds.isHeld(batch.projection, generation) ? new Held(batch.projection) : new CheckpointMoved(batch.projection);
        if (error.index <= seen.length) return false;
        const write = writes[error.index - 1 - seen.length];
        if (write) throw write.op === 'add' ? notExact(write.table, write.key, Object.keys(write.amounts).join(' or ')) : error;
        if (error.index < steps.length - guards || tries === TRIES) throw error;
      }
    }
  }

  private page(table: Table, query: Query): Page<Row> {
    const planned = plan(table, query);
    const sql = this.sqlOf(table);
    const found: StoredRow[] = [];
    let left = planned.bytes;
    const sizeOf = ({ row }: StoredRow) => row.length;
    for (const stretch of planned.stretches) {
      const { sql: text, params }: Statement = sql.select(planned, stretch);
      const rows = planned.limit + 1 - found.length;
      for (const row of this.file.upTo<StoredRow>({ rows, bytes: left, sizeOf }, text, ...params, rows)) {
        left -= sizeOf(row);
        found.push(row);
      }
      if (found.length > planned.limit || left <= 0) break;
    }
    return pageOf(
      planned,
      found.map(({ key, row }) => ({ key, row: JSON.parse(row) as Row })),
      left <= 0,
    );
  }

  /** Read anew each time: it costs some microseconds, and another process may have switched. */
  private generationOf(projection: string): number {
    return this.pinned?.generation ?? this.builds.livingNow(projection).generation;
  }

  private sqlOf(table: Table): TableSql {
    return this.sqlAt(table.name, this.generationOf(this.owners.of(table)));
  }

  private sqlAt(table: string, generation: number): TableSql {
    const name = `${table}@${generation}`;
    let sql = this.tables.get(name);
    if (!sql) this.tables.set(name, (sql = new TableSql(table, generation)));
    return sql;
  }

  private stepsOf(batch: Batch, generation: number, seen: readonly string[], { writes, open }: Gathered) {
    const steps: Step[] = [
      this.builds.fence(batch.projection, generation, batch.checkpoint),
      ...seen.map((id) => this.builds.remember(batch.projection, generation, id)),
    ];
    for (const write of writes) steps.push(step(this.sqlAt(write.table.name, generation), write));
    const before = steps.length;
    for (const [name, rows] of byTable(open)) this.pushGuarded(steps, this.sqlAt(name, generation), rows);
    return { steps, writes, guards: steps.length - before };
  }

  /** What the open rows become, each written only over the row that it was made from. */
  private pushGuarded(steps: Step[], sql: TableSql, open: readonly Open[]): void {
    const stored = this.file.all<StoredRow>(sql.getMany, JSON.stringify(open.map(({ key }) => key)));
    const texts = new Map(stored.map(({ key, row }) => [key, row]));
    for (const one of open) {
      const text = texts.get(one.key);
      const write = closed(one, text === undefined ? null : (JSON.parse(text) as Row));
      if (write === null) continue;
      const { key } = one;
      if (write.op !== 'put') steps.push({ sql: sql.removeExactly, params: [key, text!], expect: 1 });
      else if (text === undefined) steps.push({ sql: sql.insert, params: [key, JSON.stringify(write.row)] });
      else steps.push({ sql: sql.replace, params: [JSON.stringify(write.row), key, text], expect: 1 });
    }
  }
}

function byTable(open: readonly Open[]): Map<string, Open[]> {
  return Map.groupBy(open, ({ table }) => table.name);
}

function step(sql: TableSql, write: Write): Step {
  const { key } = write;
  switch (write.op) {
    case 'put':
      return { sql: sql.put, params: [key, JSON.stringify(write.row)] };
    case 'remove':
      return { sql: sql.remove, params: [key] };
    case 'patch': {
      const fields = Object.keys(write.fields);
      return { sql: sql.patch(fields), params: [...fields.map((field) => JSON.stringify(write.fields[field])), key] };
    }
    case 'add': {
      const fields = Object.keys(write.amounts);
      const amounts = fields.map((field) => BigInt(write.amounts[field]!));
      return {
        sql: sql.add(fields),
        params: [key, JSON.stringify({ ...write.start, ...write.amounts }), ...amounts, ...amounts],
        expect: 1,
      };
    }
  }
}
