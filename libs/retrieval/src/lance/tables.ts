import { randomBytes } from 'node:crypto';
import type { Connection, Table } from '@lancedb/lancedb';
import type { IndexName } from '../indexes/knowledge-indexes.ts';

/**
 * The tables of an index. Each build has its own, `<bot>.<generation>.<attempt>`, so two builds never write to the same table. One of the builds
 * creates the table `<bot>.<generation>` last, which names the attempt that counts. Without it the index is unfinished.
 */
export const pointerOf = ({ botId, generation }: IndexName): string => `${botId}.${generation}`;
/** The folder that every finished index has where its tables are stored. */
export const lanceFolder = (name: IndexName): string => `${pointerOf(name)}.lance/`;
export const chunksTableOf = (name: IndexName, attempt: string): string => `${pointerOf(name)}.${attempt}`;
export const sourcesTableOf = (name: IndexName, attempt: string): string => `${pointerOf(name)}.${attempt}.sources`;

/** Starts with the time, so that the age of an attempt without a readable table is known. */
export const newAttempt = (): string => `${Date.now().toString(36).padStart(9, '0')}-${randomBytes(8).toString('hex')}`;

export function partsOf(table: string): { name: IndexName; attempt: string | null } | null {
  const [botId, generation, attempt = null] = table.split('.');
  return botId === undefined || generation === undefined ? null : { name: { botId, generation }, attempt };
}

export const timeOf = (attempt: string): Date => new Date(parseInt(attempt, 36) || 0);

/** Whether a table, or one of its files, does not exist. */
export const isAbsent = (error: unknown): boolean => /not found/i.test((error as Error).message);
const hasNoTable = (error: unknown): boolean => /was not found/.test((error as Error).message);
export const isTaken = (error: unknown): boolean => /already exists/.test((error as Error).message);

/** Null if the table does not exist or was never completed. */
export async function openTable(connection: Connection, table: string): Promise<Table | null> {
  return connection.openTable(table).catch((error: unknown) => {
    if (hasNoTable(error)) return null;
    throw error;
  });
}

export async function dropTable(connection: Connection, table: string): Promise<void> {
  await connection.dropTable(table).catch((error: unknown) => {
    if (!hasNoTable(error)) throw error;
  });
}

const PAGE = 1_000;

/** The table names after a name, in byte order. Only one page of names is in memory. */
export async function* tablesAfter(connection: Connection, startAfter: string): AsyncGenerator<string> {
  for (let after = startAfter; ;) {
    const page = await connection.tableNames({ startAfter: after, limit: PAGE });
    yield* page;
    const last = page.at(-1);
    if (last === undefined || page.length < PAGE) return;
    after = last;
  }
}

/** All tables of an index, the pointer first. */
export async function tablesOf(connection: Connection, name: IndexName): Promise<string[]> {
  const pointer = pointerOf(name);
  const tables = [pointer];
  for await (const table of tablesAfter(connection, pointer)) {
    if (!table.startsWith(`${pointer}.`)) break;
    tables.push(table);
  }
  return tables;
}
