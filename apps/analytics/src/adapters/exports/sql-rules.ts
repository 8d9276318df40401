import type { DuckDBConnection } from '@duckdb/node-api';
import type { Report } from './messages.ts';
import { isFunction, isTableFunction } from './sql-functions.ts';
import { refusalOf, refused } from './sql-refusals.ts';

type Refusal = Extract<Report, { type: 'refused' }>;

/** The deepest nesting of a statement. */
const MOST_DEPTH = 500;

/** The plan steps that only read the query's tables and compute. Other steps write, or change the engine. */
const STEPS: ReadonlySet<string> = new Set(
  `PROJECTION FILTER AGGREGATE_AND_GROUP_BY WINDOW UNNEST LIMIT ORDER_BY TOP_N SAMPLE DISTINCT PIVOT GET CHUNK_GET DELIM_GET EXPRESSION_GET
  DUMMY_SCAN EMPTY_RESULT CTE_REF JOIN DELIM_JOIN COMPARISON_JOIN ANY_JOIN CROSS_PRODUCT POSITIONAL_JOIN ASOF_JOIN DEPENDENT_JOIN UNION
  EXCEPT INTERSECT RECURSIVE_CTE MATERIALIZED_CTE`
    .split(/\s+/)
    .map((step) => `LOGICAL_${step}`),
);

interface Serialized {
  readonly error: boolean;
  readonly error_type?: string;
  readonly error_message?: string;
  readonly statements?: readonly unknown[];
  readonly plans?: readonly unknown[];
}

type Check = (node: Readonly<Record<string, unknown>>) => string | null;

const ONE_SELECT = refused('sql_not_allowed', 'A query must be one SELECT statement.');

/**
 * Why a statement may not be run; null if it may. Denies by default: each function in the text and in the bound plan must be on the list.
 * The text is checked first, because some functions bind another statement from their arguments. The plan shows what macros, views and
 * abbreviations expand to. `files` are the only files that the query may read.
 */
export async function forbiddenIn(connection: DuckDBConnection, sql: string, files: readonly string[]): Promise<Refusal | null> {
  const tree = await serialized(connection, 'json_serialize_sql', sql);
  // Only a SELECT has a syntax tree. The engine finds syntax errors when it binds the statement.
  if (tree.error && tree.error_type !== 'parser') return ONE_SELECT;
  if (!tree.error && tree.statements?.length !== 1) return ONE_SELECT;
  return notAllowed(tree.statements, inText) ?? (await forbiddenInPlan(connection, sql, new Set(files)));
}

async function forbiddenInPlan(connection: DuckDBConnection, sql: string, files: ReadonlySet<string>): Promise<Refusal | null> {
  const {
    error,
    error_type: type = 'unknown',
    error_message: message = '',
    plans,
  } = await serialized(connection, 'json_serialize_plan', sql);
  // A statement without a plan cannot be checked, so it is never run.
  if (error) return message.startsWith('Cannot plan statement') ? ONE_SELECT : refusalOf(type, message);
  if (plans?.length !== 1) return ONE_SELECT;
  return notAllowed(plans, (node) => inPlan(node, files));
}

async function serialized(
  connection: DuckDBConnection,
  by: 'json_serialize_sql' | 'json_serialize_plan',
  sql: string,
): Promise<Serialized> {
  const prepared = await connection.prepare(`SELECT ${by}($1::VARCHAR)`);
  prepared.bindVarchar(1, sql);
  return JSON.parse(String((await prepared.runAndReadAll()).getRows()[0]?.[0])) as Serialized;
}

function notAllowed(root: unknown, check: Check): Refusal | null {
  const found = firstAt(root, check, 0);
  return found === null ? null : refused('sql_not_allowed', found);
}

function firstAt(node: unknown, check: Check, depth: number): string | null {
  if (typeof node !== 'object' || node === null) return null;
  if (depth > MOST_DEPTH) return 'The query is nested too deeply. Write it with fewer levels.';
  let found = Array.isArray(node) ? null : check(node as Readonly<Record<string, unknown>>);
  for (const value of Object.values(node)) found ??= firstAt(value, check, depth + 1);
  return found;
}

const noFunction = (name: unknown) => `The function ${String(name)} is not available in queries.`;
const noTable = (name: unknown) => `The function ${String(name)} is not available in queries. Read the table of the exports instead.`;

const inText: Check = ({ type, function: called, function_name: name }) => {
  const table = type === 'TABLE_FUNCTION' ? String((called as { function_name?: unknown }).function_name) : null;
  if (table !== null && !isTableFunction(table)) return noTable(table);
  // A table function contains its call as such a node too.
  return name === undefined || isFunction(String(name)) || isTableFunction(String(name)) ? null : noFunction(name);
};

function inPlan(
  { type, name, has_serialize: isCall, function_data: data }: Parameters<Check>[0],
  files: ReadonlySet<string>,
): string | null {
  if (String(type).startsWith('LOGICAL_') && !STEPS.has(String(type))) return 'A query must be one SELECT statement.';
  // Only functions have this field.
  if (isCall === undefined) return null;
  if (type !== 'LOGICAL_GET') return isFunction(String(name)) ? null : noFunction(name);
  if (isTableFunction(String(name)) || (name === 'read_parquet' && readsOnly(data, files))) return null;
  return noTable(name);
}

function readsOnly(data: unknown, files: ReadonlySet<string>): boolean {
  const read = (data as { readonly files?: unknown } | undefined)?.files;
  return Array.isArray(read) && read.every((file) => files.has(String(file)));
}
