import type { DuckDBConnection } from '@duckdb/node-api';
import type { Order } from './messages.ts';

/** The columns of an export. */
export const COLUMNS = {
  PK: 'VARCHAR',
  SK: 'VARCHAR',
  MessageMap: 'VARCHAR',
  TotalPrice: 'DOUBLE',
  CreateTime: 'DOUBLE',
  LastMessageId: 'VARCHAR',
  BotId: 'VARCHAR',
  datehour: 'VARCHAR',
} as const;

/** The number of rows in a row group of a file. A row group is in memory while it is written. */
const GROUP_ROWS = 20_480;
const GROUP_BYTES = '32MB';
/** The most characters of a row in JSON. A row has a few MiB at most, and escaping can make it six times as long. */
const LONGEST_ROW = 64 * 1024 * 1024;

const text = (value: string) => `'${value.replaceAll("'", "''")}'`;
const target = (file: string) =>
  `TO ${text(file)} (FORMAT parquet, COMPRESSION zstd, ROW_GROUP_SIZE ${GROUP_ROWS}, ROW_GROUP_SIZE_BYTES '${GROUP_BYTES}')`;

/** Parquet files as one table. One compressed group is decompressed at a time. */
export const tableOf = (files: readonly string[]): string => `read_parquet([${files.map(text).join(', ')}])`;

/** An empty table with the columns of an export. */
export const emptyTable = `(SELECT ${Object.entries(COLUMNS)
  .map(([name, type]) => `NULL::${type} AS "${name}"`)
  .join(', ')} WHERE false)`;

export async function writeRows(connection: DuckDBConnection, order: Extract<Order, { type: 'write' }>): Promise<number> {
  await connection.run('SET preserve_insertion_order = false');
  const columns = Object.entries(COLUMNS).map(([name, type]) => `"${name}": '${type}'`);
  const rows = `read_json(${text(order.source)}, format = 'newline_delimited', columns = {${columns.join(', ')}}, maximum_object_size = ${LONGEST_ROW})`;
  return countOf(await connection.runAndReadAll(`COPY (SELECT * FROM ${rows}) ${target(order.target)}`));
}

export async function joinFiles(connection: DuckDBConnection, order: Extract<Order, { type: 'join' }>): Promise<number> {
  await connection.run('SET preserve_insertion_order = false');
  return countOf(await connection.runAndReadAll(`COPY (SELECT * FROM ${tableOf(order.sources)}) ${target(order.target)}`));
}

const countOf = (result: { getRows(): readonly (readonly unknown[])[] }) => Number(result.getRows()[0]?.[0]);
