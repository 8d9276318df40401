// The SQL engine of the exports over a month of conversations: each query in a process of its own, as the service runs it.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import { SqlEngine } from '../../apps/analytics/dist/adapters/exports/engine.js';
import { percentile } from '../measure/figures.mjs';

const DAYS = 31;
const [rows, queries] = process.argv.slice(2).map(Number);
const directory = await mkdtemp(join(tmpdir(), 'parlance-bench-'));
process.on('disconnect', () => process.exit());

/** Generated rows of conversations, the same in each run. */
const made = (first, count, folders) => `
  SELECT 'user-' || (hash(n) % 10000) AS "PK", 'user-' || (hash(n) % 10000) || '#CONV#' || n AS "SK",
    '{"m' || n || '":{"role":"user","content":[{"content_type":"text","body":"' || md5(n::VARCHAR) || repeat(' and so on', 20) || '"}]}}' AS "MessageMap",
    (hash(n + 1) % 1000000) / 1e9 AS "TotalPrice", 1.7e9 + n AS "CreateTime", 'm' || n AS "LastMessageId",
    CASE WHEN n % 3 = 0 THEN NULL ELSE 'bot-' || (hash(n + 2) % 1000) END AS "BotId", '${folders}' || lpad((n % 24)::VARCHAR, 2, '0') AS datehour
  FROM range(${first}, ${first + count}) t(n)`;

const maker = await (await DuckDBInstance.create(':memory:')).connect();
const days = [];
const perDay = Math.ceil(rows / DAYS);
for (let day = 0; day < DAYS; day++) {
  const name = `202610${String(day + 1).padStart(2, '0')}`;
  const folders = `2026/10/${name.slice(6)}/`;
  const first = day * perDay;
  const path = (file) => join(directory, `${file}.parquet`);
  const format = '(FORMAT parquet, COMPRESSION zstd, ROW_GROUP_SIZE 20480)';
  await maker.run(`COPY (${made(first, Math.min(perDay, rows - first), folders)}) TO '${path(name)}' ${format}`);
  days.push(`${name}.parquet`);
  for (let hour = 0; hour < 24; hour++) {
    const at = String(hour).padStart(2, '0');
    const part = `SELECT * FROM read_parquet('${path(name)}') WHERE datehour = '${folders}${at}'`;
    await maker.run(`COPY (${part}) TO '${path(`${name}${at}`)}' ${format}`);
  }
}
const hours = days.flatMap((day) => Array.from({ length: 24 }, (_, hour) => day.replace('.', `${String(hour).padStart(2, '0')}.`)));

const engine = new SqlEngine({ directory, queries: { timeoutMillis: 20_000, memoryMebibytes: 512 } });
const STATEMENTS = {
  users: 'SELECT PK, count(*) AS conversations, sum(TotalPrice) AS cost FROM t GROUP BY PK ORDER BY cost DESC LIMIT 100',
  days: `SELECT datehour[:10] AS day, BotId, sum(TotalPrice) AS cost FROM t WHERE datehour >= '2026/10/10' GROUP BY ALL ORDER BY cost DESC LIMIT 100`,
};
async function timed(sql, files) {
  const start = performance.now();
  const report = await engine.query({ sql, files, database: 'd', table: 't', maxRows: 10_000, maxBytes: 4_000_000 });
  const millis = performance.now() - start;
  if (report.type !== 'answer') throw new Error(report.message);
  return { millis, answer: JSON.parse(report.json) };
}
const count = (await timed('SELECT count(*) FROM t', days)).answer.rows[0][0];
const sameCount = (await timed('SELECT count(*) FROM t', hours)).answer.rows[0][0];
const result = { count, sameCount, files: hours.length };
for (const [name, sql] of Object.entries(STATEMENTS))
  for (const [kind, files] of [
    ['overDays', days],
    ['overHours', hours],
  ]) {
    const times = [];
    for (let n = 0; n < queries; n++) {
      times.push((await timed(sql, files)).millis);
      // Wait until the process for the next query has started, like an administrator who pauses between two queries.
      await new Promise((resolve) => setTimeout(resolve, 1_000));
    }
    result[`${name}${kind}`] = { p50: percentile(times, 0.5), most: Math.max(...times) };
  }
await engine.close();
await rm(directory, { recursive: true });
process.send(result, () => process.exit());
