import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { linesOf } from '../../migrate/source/lines.ts';
import { NotDone } from '../../not-done.ts';
import { csvRowsOf } from './csv-rows.ts';
import { type Fields, isMap } from './fields.ts';

/** Tables of LiteLLM that are read. */
export const TABLES = {
  keys: 'LiteLLM_VerificationToken',
  teams: 'LiteLLM_TeamTable',
  users: 'LiteLLM_UserTable',
  budgets: 'LiteLLM_BudgetTable',
} as const;

/** Tables with things that are not taken over. */
export const OTHER_TABLES = {
  LiteLLM_ProxyModelTable: 'LiteLLM encrypts models of its database. Add them to config.yaml, or to Parlance by hand.',
  LiteLLM_CredentialsTable: 'LiteLLM encrypts credentials of its database. Add them to config.yaml, or to Parlance by hand.',
  LiteLLM_OrganizationTable: 'Parlance has no level above teams. Use budgets of the group or of the whole installation.',
  LiteLLM_ProjectTable: 'Parlance has no projects of keys. Use cost centres.',
  LiteLLM_EndUserTable: 'Parlance has no budgets of end users of a program.',
  LiteLLM_TeamMembership: 'Parlance has no budget of a user within a team.',
  LiteLLM_TagTable: 'Parlance has no budgets of tags. Use cost centres.',
  LiteLLM_SpendLogs: 'The history of calls is not taken over. Keep the table for reports of past costs.',
} as const;

export interface Row {
  readonly file: string;
  readonly line: number;
  /** Null for a line that cannot be read. */
  readonly fields: Fields | null;
}

/** The file of a table in an export: JSON lines or CSV. Null if the export does not have it. */
export function fileOf(directory: string, table: string): string | null {
  const names = ['jsonl', 'jsonl.gz', 'ndjson', 'csv'].map((ending) => `${table}.${ending}`);
  return names.map((name) => join(directory, name)).find((path) => existsSync(path)) ?? null;
}

/** The rows of a table, one at a time. None if the export does not have it. Throws `NotDone`. */
export async function* rowsOf(directory: string, table: string): AsyncGenerator<Row> {
  const path = fileOf(directory, table);
  if (path === null) return;
  if (path.endsWith('.csv')) {
    yield* csvRows(path);
    return;
  }
  for await (const { number, text } of linesOf(path)) yield { file: path, line: number, fields: text === null ? null : objectIn(text) };
}

async function* csvRows(path: string): AsyncGenerator<Row> {
  let head: readonly string[] | null = null;
  for await (const { number, cells } of csvRowsOf(path)) {
    if (head === null) {
      head = cells.map((name) => name.replace(/^\uFEFF/, ''));
      continue;
    }
    const names = head;
    const fields = cells.length === names.length ? Object.fromEntries(cells.map((cell, index) => [names[index]!, valueIn(cell)])) : null;
    yield { file: path, line: number, fields };
  }
  if (head === null) throw new NotDone(`${path} is empty: it must begin with the names of its columns`);
}

function objectIn(text: string): Fields | null {
  try {
    const value = JSON.parse(text) as unknown;
    return isMap(value) ? value : null;
  } catch {
    return null;
  }
}

/** A cell as PostgreSQL writes it: JSON columns as JSON, lists as `{a,"b c"}`, NULL as nothing. */
export function valueIn(cell: string): unknown {
  if (cell === '') return null;
  if (!cell.startsWith('{') && !cell.startsWith('[')) return cell;
  try {
    return JSON.parse(cell) as unknown;
  } catch {
    return cell.startsWith('{') ? arrayIn(cell) : cell;
  }
}

function arrayIn(cell: string): readonly string[] {
  const parts = cell.slice(1, -1).matchAll(/(?:"((?:[^"\\]|\\.)*)"|([^",]+))(?:,|$)/g);
  return [...parts].map(([, quoted, bare]) => (quoted === undefined ? bare! : quoted.replaceAll(/\\(.)/g, '$1')));
}
