import type { SqlValue } from '@parlance/sqlite';
import type { Plan, Range, Stretch } from '../query.ts';
import type { Scalar, Table } from '../table.ts';

/** The text of an SQL statement and its parameters. */
export interface Statement {
  readonly sql: string;
  readonly params: readonly SqlValue[];
}

/** SQLite would read JSON's booleans as 0 and 1. As blobs they stay distinct, and sort after strings as in MongoDB. */
function valueOf(field: string): string {
  return `CASE json_type(row,'$.${field}') WHEN 'true' THEN x'01' WHEN 'false' THEN x'00' ELSE json_extract(row,'$.${field}') END`;
}

function bound(value: NonNullable<Scalar>): SqlValue {
  return typeof value === 'boolean' ? Uint8Array.of(value ? 1 : 0) : value;
}

/** The least value of each type. The upper limit of a type is the least value of the next. */
const LEAST = { number: '-9e999', string: "''", boolean: "x''" };
const PAST = { number: LEAST.string, string: LEAST.boolean, boolean: null };

/** The statements on one table of one version. */
export class TableSql {
  /** As it is written in statements. */
  readonly quoted: string;
  readonly put: string;
  readonly remove: string;
  readonly get: string;
  readonly getMany: string;
  private readonly patches = new Map<string, string>();

  constructor(private readonly name: string) {
    const quoted = (this.quoted = `"${name}"`);
    this.put = `INSERT INTO ${quoted} (key, row) VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET row = excluded.row`;
    this.remove = `DELETE FROM ${quoted} WHERE key = ?`;
    this.get = `SELECT row FROM ${quoted} WHERE key = ?`;
    this.getMany = `SELECT key, row FROM ${quoted} WHERE key IN (SELECT value FROM json_each(?))`;
  }

  create(indexes: Table['indexes']): string[] {
    const table = `CREATE TABLE IF NOT EXISTS ${this.quoted} (key TEXT PRIMARY KEY NOT NULL, row TEXT NOT NULL) WITHOUT ROWID`;
    return [
      table,
      ...Object.values(indexes).map(
        (fields) => `CREATE INDEX IF NOT EXISTS ${this.index(fields)} ON ${this.quoted} (${fields.map(valueOf).join(', ')}, key)`,
      ),
    ];
  }

  patch(fields: readonly string[]): string {
    const name = fields.join();
    let sql = this.patches.get(name);
    if (sql === undefined) {
      const sets = fields.map((field) => `'$.${field}', json(?)`).join(', ');
      this.patches.set(name, (sql = `UPDATE ${this.quoted} SET row = json_set(row, ${sets}) WHERE key = ?`));
    }
    return sql;
  }

  /** One range scan of the index. Its last parameter is the limit. */
  select({ fields, descending }: Plan, { equal, range = {} }: Stretch): Statement {
    const params: SqlValue[] = [];
    const conditions = equal.map((value, place) => {
      if (value === null) return `${valueOf(fields[place]!)} IS NULL`;
      params.push(bound(value));
      return `${valueOf(fields[place]!)} = ?`;
    });
    const rest = [...fields.slice(equal.length).map(valueOf), 'key'];
    conditions.push(...limits(rest[0]!, range, descending, params));
    const order = rest.map((value) => (descending ? `${value} DESC` : value)).join(', ');
    // The index is named, so that the query planner never chooses another index and sorts.
    const by = fields.length === 0 ? '' : ` INDEXED BY ${this.index(fields)}`;
    const where = conditions.length === 0 ? '' : ` WHERE ${conditions.join(' AND ')}`;
    return { sql: `SELECT key, row FROM ${this.quoted}${by}${where} ORDER BY ${order} LIMIT ?`, params };
  }

  private index(fields: readonly string[]): string {
    return `"${this.name}:${fields.join('+')}"`;
  }
}

function limits(value: string, { beyond, from, to, type }: Range, descending: boolean, params: SqlValue[]): string[] {
  const conditions: string[] = [];
  const limit = (sign: string, than: NonNullable<Scalar>) => {
    params.push(bound(than));
    conditions.push(`${value} ${sign} ?`);
  };
  if (from !== undefined) limit('>=', from);
  else if (beyond === null) conditions.push(`${value} >= ${LEAST.number}`);
  else if (beyond !== undefined && !descending) limit('>', beyond);
  else if (type) conditions.push(`${value} >= ${LEAST[type]}`);
  if (to !== undefined) limit('<=', to);
  else if (beyond !== undefined && beyond !== null && descending) limit('<', beyond);
  else if (type && PAST[type] !== null) conditions.push(`${value} < ${PAST[type]}`);
  return conditions;
}
