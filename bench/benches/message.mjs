import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { patience, waitFor } from '@parlance/testing';
import { bareAccept } from '../load/bare-accept.mjs';
import { longConversation } from '../load/conversation.mjs';
import { CONNECTIONS, finishedIn, messages, UNFINISHED } from '../load/messages.mjs';
import { pacedLoop } from '../load/paced.mjs';
import { probe } from '../load/probe.mjs';
import { message, startProduct } from '../load/product.mjs';
import { LOAD, pin } from '../measure/cores.mjs';
import { bytesKept, total } from '../measure/disk.mjs';
import { figure, invariant, percentile } from '../measure/figures.mjs';
import { bytesWritten, cpuMicros, memory } from '../measure/process.mjs';

const KB = 1_024;

const FULL = {
  count: 20_000,
  warm: 2_000,
  probed: 2_000,
  paces: [500, 1_000],
  idle: 5_000,
  early: 50,
  late: 5_000,
  bare: { warmSeconds: 2, seconds: 6 },
};
const SHORT = {
  count: 2_000,
  warm: 500,
  probed: 500,
  paces: [],
  idle: 1_000,
  early: 50,
  late: 300,
  bare: { warmSeconds: 1, seconds: 2 },
};

export async function run({ short }) {
  pin(LOAD);
  const form = short ? SHORT : FULL;
  const bare = await bareAccept(CONNECTIONS, form.bare);
  const product = await ours(form);
  const growth = await grown(form);
  const { loaded, idle, paced, kept } = product;
  const against = 'bare Fastify, SQLite FULL, group commit';
  const shown = (number) => number.toLocaleString('en-US');
  return {
    rows: [
      figure(`${shown(loaded.total)} messages, at most ${UNFINISHED} unfinished: accepted`, loaded.acceptedPerSecond, '/s'),
      figure('  finished: answered, charged, in the cost summary', loaded.finishedPerSecond, '/s'),
      figure('  accepting one, p50', loaded.p50, 'ms'),
      figure('    p99', loaded.p99, 'ms', { bar: { atMost: 60 } }),
      figure('  CPU of a finished message', loaded.cpu, 'µs'),
      figure('bare accept: CPU of a request', bare.cpu, 'µs'),
      figure('  per second', bare.perSecond, '/s'),
      figure('CPU of a finished message ÷ of a bare accept', loaded.cpu / bare.cpu, '', {
        bar: { atMost: 16 },
        gate: { atMost: 60 },
        against,
      }),
      figure('written to disk for a message', loaded.written / KB, 'KB', { bar: { atMost: 45 } }),
      figure('kept on disk of a message, after stop and checkpoint', kept.each / KB, 'KB', { bar: { atMost: 4 } }),
      ...paced.flatMap(({ perSecond, p50, p99 }) => [
        figure(`accepting one at ${shown(perSecond)}/s, evenly: p50`, p50, 'ms'),
        figure('  p99', p99, 'ms', { bar: { atMost: perSecond === 1_000 ? 25 : 10 } }),
      ]),
      figure('GET /health/live under load: longest', Math.max(...product.waits), 'ms', { bar: { atMost: 50 } }),
      figure('  p99', percentile(product.waits, 0.99), 'ms'),
      figure(`memory, ${form.idle / 1_000} s after ready`, idle.now, 'MB', { bar: { atMost: 160 } }),
      figure('  after the load', product.memory.now, 'MB', { bar: { atMost: 350 } }),
      figure('  at its highest', product.memory.highest, 'MB'),
      figure(`one conversation: CPU of message ${shown(form.early)}`, growth.early, 'µs'),
      figure(`  of message ${shown(growth.reached)}`, growth.late, 'µs'),
      figure('  the later ÷ the earlier', growth.late / growth.early, '', { bar: { atMost: 1.2 }, gate: { atMost: 3 } }),
    ],
    invariants: [
      invariant(
        'the bare reference has stored all acknowledged rows',
        bare.stored === bare.right && bare.wrong === 0,
        `${bare.stored} rows, ${bare.right} acknowledged`,
      ),
      invariant('every message is accepted', loaded.right === loaded.total, `${loaded.total - loaded.right} of ${loaded.total} were not`),
      invariant(
        'every accepted message is finished, once',
        loaded.finished === loaded.right,
        `${loaded.finished} of ${loaded.right} are in the summary`,
      ),
      invariant(
        'at a pace, too',
        paced.every(({ wrong }) => wrong === 0),
        'some were not accepted',
      ),
    ],
    notes: [
      `Bytes kept per message: ${kept.parts.map(([name, bytes]) => `${name} ${(bytes / KB).toFixed(1)} KB`).join(', ')}.`,
      ...(growth.reached < form.late
        ? [`The conversation was broken off at message ${shown(growth.reached)}: later ones took too long.`]
        : []),
    ],
  };
}

/** Measures one data directory, empty and after the load. */
async function ours({ count, warm, probed, paces, idle: rest }) {
  const directory = await mkdtemp(join(tmpdir(), 'parlance-bench-'));
  try {
    const { result: idle } = await during(directory, async ({ pid }) => (await pause(rest), memory(pid)));
    const empty = bytesKept(join(directory, 'data'));
    const { result, all } = await during(directory, async (product) => {
      const load = (number) => messages(product, number);
      await load(warm);
      const paced = [];
      for (const perSecond of paces) {
        const { url, headers } = product;
        const its = { perSecond, warmSeconds: 2, seconds: 5, expected: 202 };
        paced.push({ perSecond, ...(await pacedLoop({ url: `${url}/conversation`, headers, body: message, ...its })) });
        await quiet(product);
      }
      const from = [cpuMicros(product.pid), bytesWritten(product.pid)];
      const loaded = await load(count);
      const [micros, bytes] = [cpuMicros(product.pid) - from[0], bytesWritten(product.pid) - from[1]];
      const used = memory(product.pid);
      const stopProbe = probe(product.url);
      await load(probed);
      const waits = await stopProbe();
      return { loaded: { ...loaded, cpu: micros / loaded.finished, written: bytes / loaded.finished }, paced, waits, memory: used };
    });
    return { ...result, idle, kept: keptOf(empty, bytesKept(join(directory, 'data')), all) };
  } finally {
    await rm(directory, { recursive: true, maxRetries: 3 });
  }
}

/** Runs a product on a directory during some work. Returns the number of messages that are finished at its end. */
async function during(directory, work) {
  const product = await startProduct({}, { directory });
  try {
    return { result: await work(product), all: await finishedIn(product) };
  } finally {
    await product.stop();
  }
}

/** Waits until the number of finished messages has not changed for a second. */
async function quiet(product) {
  let before = -1;
  const isQuiet = async () => {
    const now = await finishedIn(product);
    const same = now === before;
    before = now;
    if (!same) await pause(1_000);
    return same;
  };
  await waitFor(isQuiet, { timeout: patience(120_000), what: 'the messages of the pace to be finished' });
}

function keptOf(empty, full, count) {
  const parts = [...full]
    .map(([name, bytes]) => [name, (bytes - (empty.get(name) ?? 0)) / count])
    .filter(([, bytes]) => bytes >= KB / 20)
    .sort(([, a], [, b]) => b - a);
  return { each: (total(full) - total(empty)) / count, parts };
}

/** On its own warmed-up product, so that the first window does not measure cold code. */
async function grown({ warm, early, late }) {
  const product = await startProduct();
  try {
    await messages(product, warm);
    return await longConversation({ url: product.url, headers: product.headers, pid: product.pid, early, late });
  } finally {
    await product.stop();
  }
}
