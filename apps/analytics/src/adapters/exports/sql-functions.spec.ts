import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { DuckDBConnection } from '@duckdb/node-api';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { openConnection } from './sql-connection.ts';
import { isFunction, isTableFunction } from './sql-functions.ts';
import { forbiddenIn } from './sql-rules.ts';

const CANARY = 'canary-7f3';
const FILE = 'secret.txt';
const SETTING = 'http_proxy_username';

interface Overload {
  readonly name: string;
  readonly isTable: boolean;
  readonly parameters: readonly (string | null)[];
}

/** An argument of this type. A text argument names a file, a setting or a statement. */
function argumentOf(type: string | null, text: string): string {
  const quoted = `'${text.replaceAll("'", "''")}'`;
  if (type === 'JSON') return `'["${text.replaceAll("'", "''")}"]'`;
  if (type === null || /^(ANY|T|VARCHAR|STRING_LITERAL)$/.test(type)) return quoted;
  if (type === 'BLOB') return `${quoted}::BLOB`;
  if (type.includes('LAMBDA')) return 'lambda x: x';
  if (type.endsWith('[]')) return `[${quoted}]`;
  if (/INT|DOUBLE|FLOAT|DECIMAL/.test(type)) return '1';
  return `NULL::${/^[A-Z][A-Z ]+$/.test(type) && !/^(TABLE|UNION|STRUCT|MAP)$/.test(type) ? type : 'VARCHAR'}`;
}

const callOf = ({ name, isTable, parameters }: Overload, text: string) => {
  const call = `"${name}"(${parameters.map((type) => argumentOf(type, text)).join(', ')})`;
  return isTable ? `SELECT * FROM ${call}` : `SELECT ${call}`;
};

describe('the functions of the engine', () => {
  const folder = process.cwd();
  let directory: string;
  let connection: DuckDBConnection;
  let overloads: readonly Overload[];
  const isListed = ({ name, isTable }: Overload) => (isTable ? isTableFunction(name) : isFunction(name));

  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'parlance-functions-'));
    process.chdir(directory);
    await writeFile(FILE, CANARY);
    connection = await openConnection({ memoryMebibytes: 256, threads: 1 });
    // The connection is not locked, unlike that of a query, because the list alone must be sufficient.
    await connection.run(`SET ${SETTING} = '${CANARY}'`);
    const found = await connection.runAndReadAll('SELECT function_name, function_type, parameter_types FROM duckdb_functions()');
    overloads = (found.getRowsJson() as [string, string, (string | null)[] | null][])
      // Pragmas are statements of their own.
      .filter(([, type]) => type !== 'pragma')
      .map(([name, type, parameters]) => ({ name, isTable: type.startsWith('table'), parameters: parameters ?? [] }));
  });
  afterAll(async () => {
    connection.closeSync();
    process.chdir(folder);
    await rm(directory, { recursive: true });
  });

  it('are refused unless they are on the list', async () => {
    const unlisted = overloads.filter((overload) => !isListed(overload));
    expect(unlisted.length).toBeGreaterThan(100);
    const allowed: string[] = [];
    for (const overload of unlisted) {
      const sql = callOf(overload, FILE);
      if ((await forbiddenIn(connection, sql, []))?.code !== 'sql_not_allowed') allowed.push(sql);
    }
    expect(allowed).toEqual([]);
  });

  it.each([
    ['files', FILE],
    ['settings', SETTING],
    ['statements', `SELECT current_setting('${SETTING}')`],
  ])('on the list do not read a %s', async (_, text) => {
    const leaks: string[] = [];
    let answers = 0;
    for (const sql of new Set(overloads.filter(isListed).map((overload) => callOf(overload, text)))) {
      if (await forbiddenIn(connection, sql, [])) continue;
      const answer = await connection.runAndReadAll(sql).then(
        (result) => JSON.stringify(result.getRowsJson()),
        (error: Error) => error.message,
      );
      answers++;
      if (answer.includes(CANARY) || answer.includes(directory)) leaks.push(sql);
    }
    expect(leaks).toEqual([]);
    // Most functions accept such arguments.
    expect(answers).toBeGreaterThan(800);
  });

  it.each([`SELECT current_setting('${SETTING}')`, `SELECT content FROM read_text('${FILE}')`])(
    'outside the list would read such data: %s',
    async (sql) => {
      expect((await connection.runAndReadAll(sql)).getRowsJson()).toEqual([[CANARY]]);
    },
  );
});
