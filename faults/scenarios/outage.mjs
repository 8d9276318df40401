// kill -9 of the cluster's database, of its only broker, and of one of three brokers. They are restarted after a while: no data is lost, nothing
// happens twice, no event is set aside, and the services recover without intervention.
import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { patience } from '../../libs/testing/dist/patience.js';
import { fail, pass, skip } from '../suite.mjs';
import { admin, deadLetters, signedIn } from './cluster-client.mjs';
import { SHARED } from './with-cluster.mjs';

const DOWN_MS = 15_000;
/** A process logs one line in ten seconds about a Kafka that does not answer. */
const LINES_EACH_MS = 10_000;
/** How long events may wait while one of three brokers is missing. */
const LONGEST_PAUSE_MS = 15_000;
const wait = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

const OUTAGES = {
  database: { name: 'the database', isLimited: () => true },
  kafka: { name: 'Kafka', isLimited: () => true },
  'kafka-1': { name: 'one of three brokers', hasThreeBrokers: true, isLimited: ({ pause }) => pause <= patience(LONGEST_PAUSE_MS) },
};

export async function outage() {
  const { cluster, missing, waitFor } = await import('@parlance/testing');
  const lacking = missing('kafka') ?? missing('mongo') ?? missing('s3');
  if (lacking) return skip('outage', lacking);
  for (const [part, { name, hasThreeBrokers = false, isLimited }] of Object.entries(OUTAGES)) {
    const environment = { PARLANCE_ADMIN_EMAIL: admin.email, PARLANCE_ADMIN_PASSWORD: admin.password, PARLANCE_LOG_LEVEL: 'warn' };
    const running = await cluster(environment, { hasThreeBrokers });
    try {
      const found = await survive(running, part, waitFor);
      const { acknowledged, pause, seenAfter, auditedAfter, twice, letters, lines } = found;
      const figures = `${acknowledged} bots acknowledged, all of them known to others ${seenAfter} ms after it was back, audited after ${auditedAfter} ms, the longest wait ${pause} ms, at most ${Math.max(...lines.values())} log lines of a process`;
      const problems = [];
      if (letters > 0) problems.push(`${letters} events were set aside`);
      if (twice > 0) problems.push(`${twice} bots have more than one audit entry`);
      if (!isLimited(found)) problems.push(`events waited for ${pause} ms`);
      if (part !== 'database')
        for (const [server, count] of lines)
          if (count > DOWN_MS / LINES_EACH_MS + 1) problems.push(`${server} logged ${count} lines while it was down`);
      if (problems.length === 0) pass(`outage of ${name}, ${DOWN_MS / 1_000} s`, figures);
      else fail(`outage of ${name}`, [{ name: 'nothing lost, twice or set aside', count: problems.length, problems }], figures);
    } finally {
      await running.stop();
    }
  }
}

async function survive(running, part, waitFor) {
  const client = await signedIn(running.urls[0]);
  const server = running.servers.get(part);
  const acknowledged = [];
  const unseen = new Map();
  let pause = 0;
  const over = new AbortController();
  const writing = (async () => {
    while (!over.signal.aborted) {
      const id = await client.createBot();
      if (id !== null) {
        acknowledged.push(id);
        unseen.set(id, performance.now());
      }
      await wait(300);
    }
  })();
  /** Returns whether publication knows every bot. */
  const look = async () => {
    for (const [id, created] of unseen) {
      if (!(await client.isKnownToPublication(id).catch(() => false))) continue;
      unseen.delete(id);
      pause = Math.max(pause, Math.round(performance.now() - created));
    }
    return unseen.size === 0;
  };
  const watching = (async () => {
    while (!over.signal.aborted) {
      await look();
      await wait(200);
    }
  })();
  await wait(5_000);
  const before = await endsOfLogs(running);
  await server.kill();
  await wait(DOWN_MS);
  const lines = await linesSince(running, before);
  await server.restart();
  const back = performance.now();
  const sinceBack = () => Math.round(performance.now() - back);
  await wait(2_000);
  over.abort();
  await Promise.all([writing, watching]);
  await waitFor(look, { timeout: patience(120_000), what: 'publication to know of every bot' });
  const seenAfter = sinceBack();
  let entries;
  await waitFor(
    async () => {
      entries = await client.entriesOf('create_bot');
      return acknowledged.every((id) => entries.has(id));
    },
    { timeout: patience(120_000), what: 'an audit entry for every bot' },
  );
  const auditedAfter = sinceBack();
  const twice = acknowledged.filter((id) => entries.get(id) > 1).length;
  return { acknowledged: acknowledged.length, pause, seenAfter, auditedAfter, twice, letters: await deadLetters(running), lines };
}

const logsOf = ({ servers, directory }) =>
  [...servers.keys()].filter((name) => !SHARED.includes(name.split('-')[0])).map((name) => [name, join(directory, name, 'server.log')]);

async function endsOfLogs(running) {
  const ends = new Map();
  for (const [name, path] of logsOf(running)) ends.set(name, (await stat(path)).size);
  return ends;
}

async function linesSince(running, ends) {
  const counts = new Map();
  for (const [name, path] of logsOf(running)) {
    const text = (await readFile(path)).subarray(ends.get(name)).toString();
    counts.set(name, text.split('\n').filter((line) => line !== '').length);
  }
  return counts;
}
