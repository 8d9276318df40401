import { mkdtemp, rm } from 'node:fs/promises';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { fileURLToPath } from 'node:url';
import { waitFor } from '@parlance/testing';
import { closedLoop } from '../load/closed.mjs';
import { pacedLoop } from '../load/paced.mjs';
import { message, startProduct } from '../load/product.mjs';
import { forkServer, LOAD, pin } from '../measure/cores.mjs';
import { figure, invariant } from '../measure/figures.mjs';
import { cpuMicros } from '../measure/process.mjs';

const CONNECTIONS = 64;
const PER_SECOND = 1_000;
/** Until the replies to all that was accepted are written: they come slower than the load asks for them. */
const PATIENCE = 300_000;
const SHORT_PATIENCE = 60_000;

export async function run({ short }) {
  pin(LOAD);
  const seconds = short ? { warmSeconds: 1, seconds: 2 } : { warmSeconds: 4, seconds: 10 };
  const bare = await reference(seconds, short);
  const product = await ours(seconds, short);
  const ratio = product.full.perSecond / bare.full.perSecond;
  const against = 'bare Fastify, SQLite FULL, group commit';
  return {
    rows: [
      ...rowsOf('POST /conversation through the edge', product, { p99: { atMost: 60 }, pacedP99: { atMost: 5 } }),
      ...rowsOf('bare Fastify, group commit, one row', bare, { p99: null, pacedP99: null }),
      figure('product ÷ bare, accepted per second', ratio, '', { bar: { atLeast: 0.6 }, gate: { atLeast: 0.02 }, against }),
      figure('product ÷ bare, CPU of a request', product.full.cpu / bare.full.cpu, '', { gate: { atMost: 60 }, against }),
      figure('replies to all of them written, after the load ended', product.drained.seconds, 's'),
      figure('  accepted and answered in full, start of load to last reply', product.drained.perSecond, '/s'),
    ],
    invariants: [...stored(bare, 'the bare reference'), ...stored(product, 'the product'), ...ended(product)],
  };
}

function rowsOf(what, { full, paced }, bars) {
  const rows = [
    figure(`${what}, ${CONNECTIONS} connections`, full.perSecond, '/s'),
    figure('  p50', full.p50, 'ms'),
    figure('  p99', full.p99, 'ms', { bar: bars.p99 }),
    figure('  CPU of a request', full.cpu, 'µs'),
  ];
  if (!paced) return rows;
  return [
    ...rows,
    figure(`  at ${PER_SECOND.toLocaleString('en-US')}/s, evenly: p50`, paced.p50, 'ms'),
    figure('    p99', paced.p99, 'ms', { bar: bars.pacedP99 }),
    figure('    CPU of a request', paced.cpu, 'µs'),
  ];
}

async function reference(seconds, short) {
  const directory = await mkdtemp(join(tmpdir(), 'parlance-bench-'));
  const path = join(directory, 'accepted.db');
  const server = forkServer(fileURLToPath(new URL('../reference/accept-server.mjs', import.meta.url)), [path]);
  try {
    const [{ url }] = await once(server, 'message');
    const headers = { 'content-type': 'application/json' };
    const loaded = await load({ url, headers, pid: server.pid, seconds, short });
    return { ...loaded, stored: count(path, 'SELECT count(*) AS rows FROM accepted') };
  } finally {
    server.disconnect();
    await once(server, 'exit');
    await rm(directory, { recursive: true });
  }
}

async function ours(seconds, short) {
  const product = await startProduct();
  try {
    const start = performance.now();
    const loaded = await load({ url: `${product.url}/conversation`, headers: product.headers, pid: product.pid, seconds, short });
    const loadEnded = performance.now();
    const path = join(product.directory, 'data/inference.db');
    const accepted = count(path, `SELECT count(*) AS rows FROM commits WHERE events LIKE '%"MessageSubmitted"%'`);
    const over = () => count(path, `SELECT count(*) AS rows FROM commits WHERE events LIKE '%"ReplyCompleted"%'`);
    await waitFor(() => over() === accepted, { timeout: short ? SHORT_PATIENCE : PATIENCE, what: 'all replies' }).catch(() => undefined);
    const now = performance.now();
    const replies = over();
    return {
      ...loaded,
      stored: accepted,
      replies,
      drained: { seconds: (now - loadEnded) / 1_000, perSecond: replies / ((now - start) / 1_000) },
    };
  } finally {
    await product.stop();
  }
}

/** First at a pace, while the server has nothing to catch up with, then as fast as it can. */
async function load({ url, headers, pid, seconds, short }) {
  const common = { url, headers, body: message, expected: 202, ...seconds };
  const paced = short ? undefined : await withCpu(pid, (onMeasure) => pacedLoop({ ...common, perSecond: PER_SECOND, onMeasure }));
  const full = await withCpu(pid, (onMeasure) => closedLoop({ ...common, connections: CONNECTIONS, onMeasure }));
  return { paced, full };
}

async function withCpu(pid, measure) {
  const marks = [];
  const result = await measure(() => marks.push(cpuMicros(pid)));
  return { ...result, cpu: (marks[1] - marks[0]) / result.measured };
}

function count(path, sql) {
  const db = new DatabaseSync(path, { readOnly: true, timeout: 5_000 });
  try {
    return db.prepare(sql).get().rows;
  } finally {
    db.close();
  }
}

function stored({ paced, full, stored: rows }, whose) {
  const sum = (name) => (paced?.[name] ?? 0) + full[name];
  const [right, asked, wrong] = ['right', 'asked', 'wrong'].map(sum);
  return [
    invariant(`${whose} answers 202 to all`, wrong === 0, `${wrong} of ${asked} were answered otherwise`),
    invariant(
      `${whose} has stored what it acknowledged, and nothing unasked`,
      right === rows && rows === asked,
      `${asked} asked, ${right} acknowledged, ${rows} stored`,
    ),
  ];
}

function ended({ stored: accepted, replies }) {
  return [invariant('every accepted message gets its reply', replies === accepted, `${replies} of ${accepted}`)];
}
