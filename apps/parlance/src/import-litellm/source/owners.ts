import { NotDone } from '../../not-done.ts';
import { type Limits, limitsOf } from '../mapping/key.ts';
import type { Report } from '../report.ts';
import { fileOf, OTHER_TABLES, rowsOf, TABLES } from './database-export.ts';
import { type Fields, flagOf, textOf } from './fields.ts';

export interface Team {
  readonly name: string;
  readonly isBlocked: boolean;
  readonly limits: Limits;
}

/** What the keys of an export refer to. */
export interface Owners {
  readonly teams: ReadonlyMap<string, Team>;
  readonly users: ReadonlyMap<string, Team>;
  readonly budgets: ReadonlyMap<string, Limits>;
}

/** Teams, users and budgets are in memory, unlike keys. */
const MOST_ROWS = 100_000;
const LONGEST_NAME = 70;

/** Throws `NotDone`. */
export async function readOwners(directory: string, report: Report): Promise<Owners> {
  if (fileOf(directory, TABLES.keys) === null) throw new NotDone(`${directory} has no ${TABLES.keys}.jsonl or ${TABLES.keys}.csv`);
  for (const [table, reason] of Object.entries(OTHER_TABLES)) if (fileOf(directory, table) !== null) report.leave('table', table, reason);
  const aliases = new Map<string, number>();
  const rows = new Map<string, Fields>();
  await each(directory, TABLES.teams, 'team_id', report, (id, row) => {
    rows.set(id, row);
    const alias = nameOf(row['team_alias'], id);
    aliases.set(alias, (aliases.get(alias) ?? 0) + 1);
  });
  const teams = new Map<string, Team>();
  for (const [id, row] of rows) {
    const alias = nameOf(row['team_alias'], id);
    // Teams of the same name must not share a cost centre.
    const name = aliases.get(alias)! > 1 ? `${alias} (${id.slice(0, 8)})` : alias;
    teams.set(id, { name, isBlocked: flagOf(row['blocked']), limits: limitsOf(row) });
  }
  const users = new Map<string, Team>();
  await each(directory, TABLES.users, 'user_id', report, (id, row) =>
    users.set(id, { name: nameOf(row['user_alias'], id), isBlocked: false, limits: limitsOf(row) }),
  );
  const budgets = new Map<string, Limits>();
  await each(directory, TABLES.budgets, 'budget_id', report, (id, row) => budgets.set(id, limitsOf(row)));
  return { teams, users, budgets };
}

async function each(directory: string, table: string, key: string, report: Report, take: (id: string, row: Fields) => void): Promise<void> {
  let count = 0;
  for await (const { line, fields } of rowsOf(directory, table)) {
    if (++count > MOST_ROWS) throw new NotDone(`${table} has more than ${MOST_ROWS} rows: split the export`);
    const id = fields && textOf(fields[key]);
    if (id === null) report.leave('row', `${table}, line ${line}`, `It cannot be read, or has no ${key}.`);
    else take(id, fields!);
  }
}

/** A name without control characters, and short enough for service accounts and cost centres. */
export function nameOf(alias: unknown, id: string): string {
  const name = (textOf(alias) ?? id)
    .normalize('NFC')
    .replace(/[\p{Cc}\p{Cf}]/gu, ' ')
    .trim()
    .slice(0, LONGEST_NAME)
    .trim();
  return name === '' ? id.slice(0, LONGEST_NAME) : name;
}
