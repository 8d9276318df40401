import { readFile, stat } from 'node:fs/promises';
import { NotDone } from '../../not-done.ts';
import { LARGEST_FILE } from './export-directory.ts';
import { isMap } from './dynamo-item.ts';

/** A user of the source. */
export interface SourceUser {
  readonly id: string;
  readonly email: string;
  readonly isVerified: boolean;
  readonly firstName: string;
  readonly lastName: string;
  readonly groups: readonly string[];
  readonly enabled: boolean;
  /** The line in the file, from 1. */
  readonly line: number;
}

/**
 * The users of a file: the answer of `aws cognito-idp list-users` or a list of such users, JSON lines of them, or CSV with the columns
 * user_id, email, email_verified, first_name, last_name, groups (with `;` between them) and enabled.
 */
export async function readUsers(path: string): Promise<readonly SourceUser[]> {
  const { size } = await stat(path).catch(() => {
    throw new NotDone(`there is no file ${path}: name the file of the users with --users`);
  });
  if (size > LARGEST_FILE) throw new NotDone(`${path} has more than ${LARGEST_FILE} bytes: split the export by users`);
  const text = await readFile(path, 'utf8');
  if (path.endsWith('.csv')) return fromCsv(text);
  try {
    return userObjects(text).map((user, index) => fromCognito(user, index + 1));
  } catch {
    throw new NotDone(`${path} is not the answer of \`aws cognito-idp list-users\`, nor a list of such users`);
  }
}

function userObjects(text: string): readonly unknown[] {
  try {
    const document = JSON.parse(text) as unknown;
    if (Array.isArray(document)) return document;
    return isMap(document) && Array.isArray(document['Users']) ? document['Users'] : [document];
  } catch {
    return text
      .split('\n')
      .filter((line) => line.trim() !== '')
      .map((line) => JSON.parse(line) as unknown);
  }
}

function fromCognito(raw: unknown, line: number): SourceUser {
  const user = isMap(raw) ? raw : {};
  const list = [user['Attributes'], user['UserAttributes']].find(Array.isArray) ?? [];
  const attributes = new Map((list as { Name?: unknown; Value?: unknown }[]).map(({ Name, Value }) => [String(Name), String(Value)]));
  const groups = Array.isArray(user['Groups']) ? user['Groups'].map(String) : [];
  return {
    id: attributes.get('sub') ?? String(user['Username'] ?? ''),
    email: attributes.get('email') ?? '',
    isVerified: attributes.get('email_verified') === 'true',
    firstName: attributes.get('given_name') ?? attributes.get('name') ?? '',
    lastName: attributes.get('family_name') ?? '',
    groups,
    enabled: user['Enabled'] !== false,
    line,
  };
}

function fromCsv(text: string): readonly SourceUser[] {
  const [head = [], ...rows] = cellsOf(text);
  return rows.map((row, index) => {
    const of = (name: string) => row[head.indexOf(name)] ?? '';
    return {
      id: of('user_id'),
      email: of('email'),
      isVerified: of('email_verified') === 'true',
      firstName: of('first_name'),
      lastName: of('last_name'),
      groups: of('groups').split(';').filter(Boolean),
      enabled: of('enabled') !== 'false',
      line: index + 2,
    };
  });
}

/** RFC 4180. */
function cellsOf(text: string): string[][] {
  const rows: string[][] = [];
  let row: string[] = [];
  for (const [, quoted, bare, end] of text.matchAll(/(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r?\n|$)/g)) {
    row.push(quoted === undefined ? (bare ?? '') : quoted.replaceAll('""', '"'));
    if (end === ',') continue;
    if (row.some((cell) => cell !== '')) rows.push(row);
    row = [];
  }
  return rows;
}
