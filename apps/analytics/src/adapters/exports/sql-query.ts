import { type DuckDBConnection, JsonDuckDBValueConverter, StatementType } from '@duckdb/node-api';
import type { Report, SqlQuery } from './messages.ts';
import { emptyTable, tableOf } from './parquet.ts';
import { refusalOfError, refused } from './sql-refusals.ts';
import { forbiddenIn } from './sql-rules.ts';

const identifier = (word: string) => `"${word.replaceAll('"', '""')}"`;
const literal = (value: string) => `'${value.replaceAll("'", "''")}'`;

/** Restricts the engine to the query's files, and locks its settings so that no statement can lift the restriction. */
async function restrictTo(connection: DuckDBConnection, { files, database, table }: SqlQuery): Promise<void> {
  await connection.run(`CREATE SCHEMA ${identifier(database)}`);
  await connection.run(`SET allowed_paths = [${files.map(literal).join(', ')}]`);
  const rows = files.length === 0 ? emptyTable : tableOf(files);
  await connection.run(`CREATE VIEW ${identifier(database)}.${identifier(table)} AS SELECT * FROM ${rows}`);
  await connection.run(`SET search_path = ${literal(identifier(database))}`);
  await connection.run('SET enable_external_access = false');
  await connection.run('SET lock_configuration = true');
}

/** Returns `{columns, rows, truncated}`, truncated at the query's limit of rows or bytes. */
export async function answerQuery(connection: DuckDBConnection, query: SqlQuery): Promise<Report> {
  await restrictTo(connection, query);
  try {
    const forbidden = await forbiddenIn(connection, query.sql, query.files);
    if (forbidden !== null) return forbidden;
    const statements = await connection.extractStatements(query.sql);
    if (statements.count !== 1) return refused('sql_not_allowed', 'A query must be one SELECT statement.');
    const statement = await statements.prepare(0);
    if (statement.statementType !== StatementType.SELECT) return refused('sql_not_allowed', 'A query must be one SELECT statement.');
    if (statement.parameterCount > 0)
      return refused('sql_not_allowed', 'A query cannot have parameters. Write the values into the statement.');
    return { type: 'answer', json: await answerOf(await statement.stream(), query) };
  } catch (error) {
    return refusalOfError(error);
  }
}

type ResultStream = Awaited<
  ReturnType<Awaited<ReturnType<Awaited<ReturnType<DuckDBConnection['extractStatements']>>['prepare']>>['stream']>
>;

async function answerOf(result: ResultStream, { maxRows, maxBytes }: SqlQuery): Promise<string> {
  const columns = result.columnNames().map((column, at) => ({ name: column, type: String(result.columnType(at)) }));
  const isLargeInteger = columns.map(({ type }) => /^U?(BIG|HUGE)INT$/.test(type));
  const rows: string[] = [];
  let bytes = 0;
  let truncated = false;
  for (let chunk = await result.fetchChunk(); chunk && chunk.rowCount > 0 && !truncated; chunk = await result.fetchChunk()) {
    for (let at = 0; at < chunk.rowCount; at++) {
      const row = JSON.stringify(
        chunk.convertRowValues(at, JsonDuckDBValueConverter).map((value, index) => (isLargeInteger[index] ? exact(value) : value)),
      );
      bytes += Buffer.byteLength(row) + 1;
      truncated = rows.length === maxRows || bytes > maxBytes;
      if (truncated) break;
      rows.push(row);
    }
  }
  return `{"columns":${JSON.stringify(columns)},"rows":[${rows.join(',')}],"truncated":${truncated}}`;
}

/** Large integers arrive as strings. Those that fit exactly into a JSON number are returned as numbers. */
const exact = (value: unknown) => (typeof value === 'string' && Number.isSafeInteger(Number(value)) ? Number(value) : value);
