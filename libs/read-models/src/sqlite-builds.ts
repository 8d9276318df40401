import { type Schema, type SqliteFile, type Step, UnitUndone } from '@parlance/sqlite';
import { type Build, Builds } from './builds.ts';
import { BuildLost, NotPrepared } from './errors.ts';
import type { Batch, TableOwner } from './read-models.ts';
import { physical, TableSql } from './sqlite-sql.ts';

export const SCHEMA: Schema = {
  module: 'read-models',
  steps: [
    `CREATE TABLE read_model_builds (
      projection TEXT NOT NULL, generation INTEGER NOT NULL, version INTEGER NOT NULL, checkpoint INTEGER NOT NULL DEFAULT 0,
      state TEXT NOT NULL CHECK (state IN ('living', 'next')), tables TEXT NOT NULL,
      latest INTEGER NOT NULL, builder TEXT, until REAL, PRIMARY KEY (projection, generation), UNIQUE (projection, state)
    ) WITHOUT ROWID`,
    `CREATE TABLE read_model_seen (
      projection TEXT NOT NULL, generation INTEGER NOT NULL, id TEXT NOT NULL, at REAL NOT NULL, PRIMARY KEY (projection, generation, id)
    ) WITHOUT ROWID`,
    'CREATE INDEX read_model_seen_at ON read_model_seen (at)',
  ],
};

interface Stored extends Build {
  /** Names, as JSON. */
  readonly tables: string;
  /** The highest number that a generation ever had, so that none comes twice and no straggler writes into another's build. */
  readonly latest: number;
  /** Of the next build: whose it is. Of the living one: who holds it. */
  readonly builder: string | null;
  readonly until: number | null;
}

const OF_STATE = 'SELECT * FROM read_model_builds WHERE projection = ? AND state = ?';
const OF_GENERATION = 'SELECT * FROM read_model_builds WHERE projection = ? AND generation = ?';
const SAME = 'projection = ? AND generation = ?';
const NOT_HELD = `(state = 'next' OR builder IS NULL OR until <= ?)`;
/** A hold that ran out and was written past is over: a switch that relies on it must fail. */
const END_OF_HOLD = `builder = CASE state WHEN 'next' THEN builder END`;

export class SqliteBuilds extends Builds {
  constructor(private readonly file: SqliteFile) {
    super();
  }

  async prepare(owners: readonly TableOwner[]): Promise<void> {
    const first = `INSERT INTO read_model_builds (projection, generation, version, state, tables, latest) SELECT ?, 1, ?, 'living', '[]', 1
      WHERE NOT EXISTS (${OF_STATE})`;
    await this.file.write(owners.map(({ name, version }) => ({ sql: first, params: [name, version, name, 'living'] })));
    const steps = owners.flatMap((owner) => {
      const living = this.livingNow(owner.name);
      const tables = new Set([...(JSON.parse(living.tables) as string[]), ...owner.tables.map(({ name }) => name)]);
      return [
        ...create(owner, living.generation),
        {
          sql: `UPDATE read_model_builds SET tables = ? WHERE ${SAME}`,
          params: [JSON.stringify([...tables]), owner.name, living.generation],
          expect: 1,
        },
      ];
    });
    await this.file.write(steps);
  }

  livingNow(projection: string): Stored {
    const stored = this.file.get<Stored>(OF_STATE, projection, 'living');
    if (!stored) throw new NotPrepared(`projection ${projection}`);
    return stored;
  }

  async living(projection: string): Promise<Build> {
    const { generation, version, checkpoint } = this.livingNow(projection);
    return { projection, generation, version, checkpoint };
  }

  checkpoint(projection: string, generation: number): number {
    return this.file.get<Stored>(OF_GENERATION, projection, generation)?.checkpoint ?? 0;
  }

  isHeld(projection: string, generation: number): boolean {
    const stored = this.file.get<Stored & { state: string }>(OF_GENERATION, projection, generation);
    return stored?.state === 'living' && stored.builder !== null && stored.until! > Date.now();
  }

  /** The step that every batch begins with: nothing of it is written unless this generation is there and stands where it should. */
  fence(projection: string, generation: number, checkpoint: Batch['checkpoint']): Step {
    const now = Date.now();
    if (!checkpoint) {
      return {
        sql: `UPDATE read_model_builds SET ${END_OF_HOLD} WHERE ${SAME} AND ${NOT_HELD}`,
        params: [projection, generation, now],
        expect: 1,
      };
    }
    return {
      sql: `UPDATE read_model_builds SET checkpoint = ?, ${END_OF_HOLD} WHERE ${SAME} AND checkpoint = ? AND ${NOT_HELD}`,
      params: [checkpoint.to, projection, generation, checkpoint.from, now],
      expect: 1,
    };
  }

  remember(projection: string, generation: number, id: string): Step {
    return { sql: 'INSERT INTO read_model_seen VALUES (?, ?, ?, ?)', params: [projection, generation, id, Date.now()] };
  }

  unseen(projection: string, generation: number, ids: readonly string[]): string[] {
    const known = this.file.all<{ id: string }>(
      'SELECT id FROM read_model_seen WHERE projection = ? AND generation = ? AND id IN (SELECT value FROM json_each(?))',
      projection,
      generation,
      JSON.stringify(ids),
    );
    const seen = new Set(known.map(({ id }) => id));
    return ids.filter((id) => !seen.has(id));
  }

  async pruneSeen(before: number): Promise<number> {
    const [result] = await this.file.write([{ sql: 'DELETE FROM read_model_seen WHERE at < ?', params: [before] }]);
    return result!.changes;
  }

  async begin(owner: TableOwner, builder: string, leaseMs: number): Promise<Build | null> {
    const projection = owner.name;
    const living = this.livingNow(projection);
    const left = this.file.get<Stored>(OF_STATE, projection, 'next');
    const generation = living.latest + 1;
    const now = Date.now();
    const steps: Step[] = [
      {
        sql: `UPDATE read_model_builds SET latest = ? WHERE projection = ? AND state = 'living' AND latest = ?`,
        params: [generation, projection, living.latest],
        expect: 1,
      },
    ];
    if (left) {
      const expired = `DELETE FROM read_model_builds WHERE ${SAME} AND until <= ?`;
      steps.push({ sql: expired, params: [projection, left.generation, now], expect: 1 }, ...drop(left));
    }
    const tables = JSON.stringify(owner.tables.map(({ name }) => name));
    steps.push({
      sql: `INSERT INTO read_model_builds (projection, generation, version, state, tables, latest, builder, until) VALUES (?, ?, ?, 'next', ?, ?, ?, ?)`,
      params: [projection, generation, owner.version, tables, generation, builder, now + leaseMs],
    });
    steps.push(...create(owner, generation));
    return (await this.done(steps)) ? { projection, generation, version: owner.version, checkpoint: 0 } : null;
  }

  renew({ projection, generation }: Build, builder: string, leaseMs: number): Promise<boolean> {
    const sql = `UPDATE read_model_builds SET until = ? WHERE ${SAME} AND state = 'next' AND builder = ?`;
    return this.done([{ sql, params: [Date.now() + leaseMs, projection, generation, builder], expect: 1 }]);
  }

  async hold(projection: string, builder: string, leaseMs: number): Promise<void> {
    const sql = `UPDATE read_model_builds SET builder = ?, until = ? WHERE projection = ? AND state = 'living'`;
    await this.file.write([{ sql, params: [builder, Date.now() + leaseMs, projection], expect: 1 }]);
  }

  async release(projection: string, builder: string): Promise<void> {
    const sql = `UPDATE read_model_builds SET builder = NULL WHERE projection = ? AND state = 'living' AND builder = ?`;
    await this.file.write([{ sql, params: [projection, builder] }]);
  }

  async switchTo({ projection, generation }: Build, builder: string, condition: 'as-far' | 'held'): Promise<boolean> {
    const old = this.livingNow(projection);
    const next = this.file.get<Stored>(OF_GENERATION, projection, generation);
    if (next?.builder !== builder) throw new BuildLost(projection);
    const asFar = `checkpoint <= (SELECT checkpoint FROM read_model_builds WHERE ${SAME} AND builder = ?)`;
    return this.done([
      {
        sql: `DELETE FROM read_model_builds WHERE ${SAME} AND state = 'living' AND ${condition === 'held' ? 'builder = ?' : asFar}`,
        params: [projection, old.generation, ...(condition === 'held' ? [] : [projection, generation]), builder],
        expect: 1,
      },
      {
        sql: `UPDATE read_model_builds SET state = 'living', builder = NULL, until = NULL WHERE ${SAME} AND state = 'next' AND builder = ?`,
        params: [projection, generation, builder],
        expect: 1,
      },
      ...drop(old),
    ]);
  }

  async abandon({ projection, generation }: Build): Promise<void> {
    const next = this.file.get<Stored>(OF_GENERATION, projection, generation);
    if (!next) return;
    await this.done([
      { sql: `DELETE FROM read_model_builds WHERE ${SAME} AND state = 'next'`, params: [projection, generation], expect: 1 },
      ...drop(next),
    ]);
  }

  /** False when another was quicker. */
  private async done(steps: readonly Step[]): Promise<boolean> {
    try {
      await this.file.write(steps);
      return true;
    } catch (error) {
      if (error instanceof UnitUndone && error.reason !== 'error') return false;
      throw error;
    }
  }
}

function create(owner: TableOwner, generation: number): Step[] {
  return owner.tables.flatMap(({ name, indexes }) => new TableSql(name, generation).create(indexes).map((sql) => ({ sql })));
}

function drop({ projection, generation, tables }: Stored): Step[] {
  return [
    { sql: 'DELETE FROM read_model_seen WHERE projection = ? AND generation = ?', params: [projection, generation] },
    ...(JSON.parse(tables) as string[]).map((table) => ({ sql: `DROP TABLE IF EXISTS ${physical(table, generation)}` })),
  ];
}
