import type { DuckDBConnection } from '@duckdb/node-api';

/** Table functions that make rows of their arguments. All others read files or answer about the engine. */
const TABLE_FUNCTIONS: ReadonlySet<string> = new Set(['unnest', 'range', 'generate_series', 'json_each', 'json_tree', 'repeat_row']);

/** Functions that reveal the installation, or change the engine. */
const FORBIDDEN_FUNCTIONS: ReadonlySet<string> = new Set(['current_setting', 'getenv', 'getvariable', 'nextval', 'currval', 'write_log']);

/** Views that tell of the engine and its settings. Each is made from a table function that is refused. */
const ENGINE_VIEW = /^(?:duckdb|pg|pragma|sqlite)_/i;

/** The deepest that a statement may be nested. */
const MOST_DEPTH = 500;

interface SerializedSql {
  readonly error: boolean;
  readonly error_type?: string;
  readonly statements?: readonly unknown[];
}

/**
 * Why a statement may not be run, by its syntax tree; null if it may. The locked configuration refuses files and settings by itself. This
 * refuses the rest that is not a question about the exports, before it is prepared.
 */
export async function forbiddenIn(connection: DuckDBConnection, sql: string): Promise<string | null> {
  const prepared = await connection.prepare('SELECT json_serialize_sql($1::VARCHAR)');
  prepared.bindVarchar(1, sql);
  const tree = JSON.parse(String((await prepared.runAndReadAll()).getRows()[0]?.[0])) as SerializedSql;
  // A statement that is not a SELECT has no tree. Syntax errors are found when it is prepared.
  if (tree.error) return tree.error_type === 'parser' ? null : 'A query is one SELECT statement.';
  if (tree.statements?.length !== 1) return 'A query is one SELECT statement.';
  return forbiddenAt(tree.statements[0], 0);
}

function forbiddenAt(node: unknown, depth: number): string | null {
  if (typeof node !== 'object' || node === null) return null;
  if (depth > MOST_DEPTH) return 'The query is nested too deeply. Write it with fewer levels.';
  const {
    type,
    function: called,
    function_name: plain,
    table_name: table,
  } = node as { type?: unknown; table_name?: unknown; function?: { function_name?: unknown }; function_name?: unknown };
  if (type === 'TABLE_FUNCTION') {
    const name = String(called?.function_name).toLowerCase();
    if (!TABLE_FUNCTIONS.has(name)) return `The function ${name} is not available in queries. Read the table of the exports instead.`;
  }
  if (type === 'BASE_TABLE' && ENGINE_VIEW.test(String(table)))
    return `The table ${String(table)} is not available in queries. Read the table of the exports instead.`;
  if (typeof plain === 'string' && FORBIDDEN_FUNCTIONS.has(plain.toLowerCase()))
    return `The function ${plain} is not available in queries.`;
  for (const value of Object.values(node)) {
    const found = forbiddenAt(value, depth + 1);
    if (found !== null) return found;
  }
  return null;
}
