import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { patience, waitFor } from '@parlance/testing';
import { SqlEngine } from './engine.ts';
import { openConnection } from './sql-connection.ts';
import { answerQuery } from './sql-query.ts';

const MIB = 1024 * 1024;
const limits = { timeoutMillis: patience(5_000), memoryMebibytes: 256 };
const source = { files: ['a.parquet', 'b.parquet'], database: 'p_db', table: 'p_t', maxRows: 100, maxBytes: MIB };

describe('the SQL engine', () => {
  let directory: string;
  let engine: SqlEngine;
  const row = (n: number) => ({
    PK: `user-${n % 3}`,
    SK: `user-${n % 3}#CONV#${n}`,
    MessageMap: JSON.stringify({ [`m${n}`]: { role: 'user', content: [{ content_type: 'text', body: `Café "${n}" 日本` }] } }),
    TotalPrice: n / 1_000,
    CreateTime: 1_700_000_000.5 + n,
    LastMessageId: `m${n}`,
    BotId: n % 2 === 0 ? null : 'bot',
    datehour: '2026/11/22/10',
  });
  const query = (sql: string, overrides: object = {}, sqlEngine = engine) => sqlEngine.query({ ...source, sql, ...overrides });
  const answer = async (sql: string, overrides: object = {}) => {
    const report = await query(sql, overrides);
    if (report.type === 'refused') throw new Error(`${report.code}: ${report.message}`);
    return JSON.parse(report.json);
  };

  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'parlance-engine-'));
    engine = new SqlEngine({ directory, queries: limits });
    for (const [file, from] of [
      ['a', 0],
      ['b', 500],
    ] as const) {
      const lines = Array.from({ length: 500 }, (_, n) => JSON.stringify(row(from + n)));
      await writeFile(join(directory, `${file}.json`), lines.join('\n'));
      await engine.write({ type: 'write', source: `${file}.json`, target: `${file}.parquet` });
    }
    await writeFile(join(directory, 'secret.txt'), 'canary-7f3');
    await writeFile(join(directory, 'other.parquet'), await readFile(join(directory, 'a.parquet')));
  });
  afterAll(async () => {
    await engine.close();
    await rm(directory, { recursive: true });
  });

  it('answers with columns and rows', async () => {
    expect(
      await answer("SELECT PK, count(*) AS n, max(TotalPrice) AS most FROM p_t WHERE datehour = '2026/11/22/10' GROUP BY PK ORDER BY PK"),
    ).toEqual({
      columns: [
        { name: 'PK', type: 'VARCHAR' },
        { name: 'n', type: 'BIGINT' },
        { name: 'most', type: 'DOUBLE' },
      ],
      rows: [
        ['user-0', 334, 0.999],
        ['user-1', 333, 0.997],
        ['user-2', 333, 0.998],
      ],
      truncated: false,
    });
  });
  it('extracts messages from JSON, and joins them with the result of a WITH clause', async () => {
    const sql = `WITH one AS (SELECT * FROM p_db.p_t WHERE LastMessageId = 'm7')
      SELECT json_extract_string(value, '$.content[0].body') FROM one, json_each(MessageMap::JSON)`;
    expect((await answer(sql)).rows).toEqual([['Café "7" 日本']]);
  });
  it('counts the rows that it writes', async () => {
    expect(await engine.write({ type: 'write', source: 'a.json', target: 'again.parquet' })).toBe(500);
  });
  it('joins files into one', async () => {
    expect(await engine.write({ type: 'join', sources: ['a.parquet', 'b.parquet'], target: 'day.parquet' })).toBe(1_000);
    expect((await answer('SELECT count(*) FROM p_t', { files: ['day.parquet'] })).rows).toEqual([[1000]]);
  });
  it('returns no rows if there are no files', async () => {
    expect(await answer('SELECT PK FROM p_t', { files: [] })).toMatchObject({ rows: [], truncated: false });
  });
  it('truncates an answer by rows and by bytes, and reports it', async () => {
    const byRows = await answer('SELECT SK FROM p_t', { maxRows: 10 });
    expect([byRows.rows.length, byRows.truncated]).toEqual([10, true]);
    const all = await answer('SELECT SK FROM p_t LIMIT 10', { maxRows: 10 });
    expect([all.rows.length, all.truncated]).toEqual([10, false]);
    const byBytes = await answer("SELECT repeat('x', 1000) FROM range(100)", { maxBytes: 10_000 });
    expect([byBytes.rows.length, byBytes.truncated]).toEqual([9, true]);
  });
  // These queries run in this process, with the settings of an engine process, because starting one takes longer than all of them.
  describe('refuses', () => {
    const folder = process.cwd();
    beforeAll(() => process.chdir(directory));
    afterAll(() => process.chdir(folder));

    it.each([
      ["SELECT * FROM read_csv('/etc/passwd')"],
      ["SELECT * FROM read_text('secret.txt')"],
      ["SELECT * FROM read_blob('secret.txt')"],
      ["SELECT * FROM read_parquet('other.parquet')"],
      ["SELECT * FROM parquet_metadata('a.parquet')"],
      ["SELECT * FROM read_csv('http://127.0.0.1:9/x.csv')"],
      ["SELECT * FROM 's3://bucket/x.parquet'"],
      ["SELECT * FROM 'other.parquet'"],
      ["SELECT * FROM glob('/etc/*')"],
      ["SELECT * FROM sniff_csv('/etc/passwd')"],
      ["SELECT (SELECT count(*) FROM read_text('secret.txt'))"],
      ["SELECT * FROM query('SELECT * FROM read_text(''secret.txt'')')"],
      ["SELECT * FROM query_table('secret.txt')"],
      ['SELECT * FROM duckdb_settings()'],
      ['SELECT * FROM duckdb_secrets()'],
      ["SELECT current_setting('allowed_paths')"],
      ["SELECT json_serialize_plan('SELECT current_setting(''allowed_paths'')', optimize := true)"],
      ["SELECT json_serialize_sql('SELECT 1')"],
      ["SELECT list_transform([1], lambda x: current_setting('allowed_paths'))"],
      ['SELECT current_catalog'],
      ['SELECT * FROM duckdb_tables'],
      ['SELECT * FROM pg_catalog.pg_tables'],
      ['SELECT * FROM information_schema.tables'],
      ['SELECT * FROM sqlite_master'],
      ['SELECT pg_get_viewdef(1)'],
      ['FROM (SHOW DATABASES)'],
      ["SELECT getenv('PATH')"],
      ["COPY p_t TO 'stolen.csv'"],
      ["COPY (SELECT 1) TO 'a.parquet'"],
      ["ATTACH 'stolen.db'"],
      ['INSTALL httpfs'],
      ['LOAD httpfs'],
      ['PRAGMA database_list'],
      ['SET threads = 64'],
      ["SET allowed_paths = ['/etc/passwd']"],
      ['RESET lock_configuration'],
      ['CREATE TABLE t AS SELECT 1'],
      ['INSERT INTO p_t VALUES (1)'],
      ['DROP VIEW p_t'],
      ["EXPORT DATABASE 'stolen'"],
      ["CREATE SECRET s (TYPE s3, KEY_ID 'a', SECRET 'b')"],
      ['CALL pragma_version()'],
      ['EXPLAIN ANALYZE SELECT 1'],
      ["SELECT 1; COPY (SELECT 2) TO 'stolen.csv'"],
      ['SELECT $1'],
      ['VACUUM'],
      [''],
      ['SELECT'],
      ['no sql at all'],
    ])('%s', async (sql) => {
      const connection = await openConnection({ memoryMebibytes: 256, threads: 2 });
      const report = await answerQuery(connection, { ...source, sql }).finally(() => connection.closeSync());
      expect(report).toMatchObject({ type: 'refused', code: expect.stringMatching(/^sql_(not_allowed|invalid)$/) });
      expect(JSON.stringify(report)).not.toMatch(/canary-7f3|root:|\/tmp\//);
      for (const stolen of ['stolen.csv', 'stolen.db', 'stolen']) await expect(stat(join(directory, stolen))).rejects.toThrow('ENOENT');
    });
  });
  it('reveals nothing about its folder when a file is damaged', async () => {
    await writeFile(join(directory, 'damaged.parquet'), 'no parquet');
    const ended = await query('SELECT * FROM p_t', { files: ['damaged.parquet'] }).then(JSON.stringify, (error: Error) => error.message);
    expect(ended).not.toContain(directory);
  });
  it('runs each query in a folder with only its own files, and removes it', async () => {
    const other = new SqlEngine({ directory, queries: limits });
    const folders = async () => (await readdir(directory)).filter((name) => name.startsWith('query-'));
    const before = await folders();
    const endless = other.query({
      ...source,
      files: ['a.parquet'],
      sql: 'WITH RECURSIVE t(n) AS (SELECT 1 UNION SELECT n + 1 FROM t) SELECT count(*) FROM t',
    });
    const filesOfQuery = async () => {
      const [own] = (await folders()).filter((name) => !before.includes(name));
      return own && (await readdir(join(directory, own))).length > 0 ? readdir(join(directory, own)) : null;
    };
    expect(await waitFor(filesOfQuery, { what: 'the folder of the query' })).toEqual(['a.parquet']);
    await Promise.allSettled([endless, other.close()]);
    expect(await folders()).toEqual(before);
  });
  const stopReason = (sql: string, sqlEngine: SqlEngine) =>
    query(sql, {}, sqlEngine).then(
      (report) => report.type === 'refused' && report.code,
      (error) => error.because,
    );
  it.each([
    ['an endless recursive query', 'WITH RECURSIVE t(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM t) SELECT count(*) FROM t'],
    [
      'a cross join of five tables',
      'SELECT count(*) FROM p_t a, p_t b, p_t c, p_t d, p_t e WHERE a.SK || b.SK || c.SK || d.SK || e.SK = $$x$$',
    ],
  ])('stops %s', async (_, sql) => {
    const impatient = new SqlEngine({ directory, queries: { ...limits, timeoutMillis: 500 } });
    expect(await stopReason(sql, impatient)).toMatch(/^(timeout|memory|query_memory_exceeded)$/);
    await impatient.close();
    expect((await answer('SELECT 1')).rows).toEqual([[1]]);
  });
  it.each([
    ['a string that is too long', "SELECT repeat('x', 2000000000)"],
    ['a list that is too long', 'SELECT list(n) FROM range(10000000000) t(n)'],
    ['a sort of too many rows', 'SELECT n FROM range(10000000000) t(n) ORDER BY hash(n) DESC'],
  ])('stops %s', async (_, sql) => {
    expect(await stopReason(sql, engine)).toMatch(/^(timeout|memory|query_memory_exceeded)$/);
    expect((await answer('SELECT 1')).rows).toEqual([[1]]);
  });
  it('returns the first of a billion rows without waiting for the others', async () => {
    const { rows, truncated } = await answer('SELECT n FROM range(1000000000) t(n)');
    expect([rows.length, truncated]).toEqual([100, true]);
  });
  it('can be closed while a query runs', async () => {
    const other = new SqlEngine({ directory, queries: { timeoutMillis: patience(60_000), memoryMebibytes: 256 } });
    const endless = other.query({
      sql: 'WITH RECURSIVE t(n) AS (SELECT 1 UNION SELECT n + 1 FROM t) SELECT count(*) FROM t',
      files: [],
      database: 'd',
      table: 't',
      maxRows: 1,
      maxBytes: MIB,
    });
    const [ended] = await Promise.allSettled([endless, other.close()]);
    expect(ended.status).toBe('rejected');
  });
});
