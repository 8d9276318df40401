// Runs specs of all projects in one jest, a few files at a time.
import { spawn } from 'node:child_process';
import { subscribe } from 'node:diagnostics_channel';
import { mkdirSync, rmSync } from 'node:fs';
import { bin, node, path, root } from './workspace.mjs';

const FLAGS = ['--disable-warning=ExperimentalWarning'];
/** Contains an empty file for each spec file that has begun. */
const BEGUN = path('.cache/begun');
/** Files at a time. A third one uses the time in which two wait for servers. With the clusters of a full run, it would only delay them. */
const WORKERS = { quick: 3, full: 2 };
/** Long enough for any run that does not hang. */
const MINUTES = { quick: 40, full: 80 };

/**
 * Resolves with the exit code of jest, which writes its results to `file`, and with the number of servers started for it. Without
 * `projects`, the specs of all projects run, and share one Kafka, one database and one object store. Specs named `*.full.spec.ts` run
 * only if `isFull`.
 */
export async function runSpecs({ file, projects = [], isFull = false, env }) {
  const starts = {};
  subscribe('parlance.test.start', (kind) => void (starts[kind] = (starts[kind] ?? 0) + 1));
  const testing = await import('../libs/testing/dist/index.js');
  const servers = projects.length === 0 ? await sharedServers(testing) : { env: {}, stop: async () => undefined };
  const args = [
    ...FLAGS,
    bin('jest'),
    ...projects.map((project) => `/${project}/`),
    `--reporters=${path('tools/quiet-reporter.cjs')}`,
    `--maxWorkers=${WORKERS[isFull ? 'full' : 'quick']}`,
    ...(isFull ? [] : ['--testPathIgnorePatterns=\\.full\\.spec\\.ts$']),
  ];
  rmSync(BEGUN, { recursive: true, force: true });
  mkdirSync(BEGUN, { recursive: true });
  const options = {
    cwd: root,
    env: { ...env, ...servers.env, RESULTS_FILE: file, BEGUN_SPECS: BEGUN },
    stdio: ['ignore', 'inherit', 'inherit'],
  };
  try {
    const code = await new Promise((resolve) => {
      const child = spawn(node, args, options);
      const limit = setTimeout(() => child.kill('SIGTERM'), testing.patience(MINUTES[isFull ? 'full' : 'quick'] * 60_000));
      child.once('error', () => resolve(1)).once('close', (exit) => resolve(exit ?? 1));
      child.once('close', () => clearTimeout(limit));
    });
    return { code, starts };
  } finally {
    await servers.stop();
  }
}

async function sharedServers({ database, kafka, missing, s3 }) {
  const kinds = [
    ['mongo', database, ({ uri }) => ({ MONGODB_URI: uri })],
    ['kafka', kafka, ({ brokers }) => ({ KAFKA_BROKERS: brokers.join(',') })],
    ['s3', s3, ({ endpoint }) => ({ S3_ENDPOINT: endpoint })],
  ].filter(([kind]) => missing(kind) === null);
  const servers = await Promise.all(kinds.map(([, start]) => start()));
  return {
    env: Object.assign({}, ...servers.map((server, index) => kinds[index][2](server))),
    stop: () => Promise.all(servers.map((server) => server.stop())),
  };
}
