// Breaks the product on purpose and checks its guarantees: see README.md. By hand `npm run faults`, in CI with --ci.
import { existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { summary, writeResults } from '../tools/results.mjs';
import { inProcesses } from './in-processes.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const scenarios = [
  'kill',
  'knowledge',
  'imports',
  'charges',
  'calls',
  'quota',
  'mails',
  'factors',
  'operations',
  'upgrade',
  'restore',
  'fsync',
  'disk',
  'outage',
  'loss',
  'cluster-restore',
  'rolling',
  'frozen',
  'frozen-store',
  'streams',
  'draining',
  'ledger',
  'races',
  'addresses',
  'hostile',
  'readers',
  'sabotage',
];

/**
 * The scenarios that CI runs, in their short form; the others run by hand and nightly. The longest comes first. `hostile` and `readers`
 * measure the wait of other requests, so nothing runs beside them.
 */
const ofCi = {
  beside: ['sabotage', 'kill', 'knowledge', 'imports', 'charges', 'calls', 'quota', 'mails', 'races', 'restore', 'fsync'],
  alone: ['hostile', 'readers'],
};

const usage = `node faults/run.mjs [${scenarios.join('|')}…] [--rounds N] [--replies N] [--requests N] [--seed S] [--from DIR] [--ci] [--keep]`;
const { named, values } = parsedArguments();
if (!existsSync(`${root}/apps/parlance/dist/main.js`) || !existsSync(`${root}/libs/testing/dist/server.js`))
  refuse('there is nothing built to break: run `npm run build` first');

// In CI, each run makes the same requests: a build that fails at random says nothing about its change.
const seed = values.seed ?? (values.ci ? '2211' : String(Math.floor(Math.random() * 2 ** 32)));
console.log(`faults: --seed ${seed}`);
if (values.ci && named === undefined) {
  const total = await inProcesses(ofCi, ['--ci', ...process.argv.slice(2).filter((argument) => argument !== '--ci')]);
  writeResults(total);
  console.log(`faults: ${summary(total)}`);
  process.exit(total.failed === 0 ? 0 : 1);
}
const chosen = named ?? new Set(scenarios);
// `npm test` keeps temporary files in memory. These scenarios are about the disk.
if (['fsync', 'disk', 'sabotage'].some((name) => chosen.has(name))) process.env.TMPDIR = process.env.TMPDIR_ON_DISK ?? tmpdir();
const { conclude, part } = await import('./suite.mjs');
const count = values.rounds === undefined ? undefined : Number(values.rounds);

if (chosen.has('kill'))
  await part('kill -9', async () =>
    (await import('./scenarios/kill.mjs')).kill({ root, seed, count: count ?? 60, keep: values.keep === true }),
  );
if (chosen.has('knowledge'))
  await part('kill -9 while knowledge is read', async () =>
    (await import('./scenarios/knowledge.mjs')).knowledge({
      root,
      seed,
      count: count ?? (values.ci ? 4 : 100),
      keep: values.keep === true,
    }),
  );
if (chosen.has('imports'))
  await part('kill -9 while conversations are imported', async () =>
    (await import('./scenarios/imports.mjs')).imports({
      root,
      seed,
      count: count ?? (values.ci ? 2 : 50),
      keep: values.keep === true,
    }),
  );
// Rows are built slowly on purpose: by hand and nightly.
if (chosen.has('upgrade'))
  await part('upgrade and rollback', async () =>
    (await import('./scenarios/upgrade.mjs')).upgrade({ root, seed, count: count ?? 3, keep: values.keep === true }),
  );
if (chosen.has('restore'))
  await part('restore drill', async () =>
    (await import('./scenarios/restore.mjs')).restore({
      root,
      seed,
      count: values.ci ? 1 : Math.min(count ?? 3, 20),
      keep: values.keep === true,
    }),
  );
if (chosen.has('fsync'))
  await part('fsync', async () => (await import('./scenarios/fsync.mjs')).fsync({ root, seed, crashes: values.ci ? 0 : (count ?? 12) }));
// Under strace a start takes seconds: by hand and nightly.
if (chosen.has('disk')) await part('disk', async () => (await import('./scenarios/disk.mjs')).disk({ root, seed, count: count ?? 10 }));
// Waits for two half minutes: by hand and nightly.
if (chosen.has('outage')) await part('outage', async () => (await import('./scenarios/outage.mjs')).outage());
// Starts a cluster three times: by hand and nightly.
if (chosen.has('loss')) await part('loss in a cluster', async () => (await import('./scenarios/loss.mjs')).loss({ root }));
if (chosen.has('cluster-restore'))
  await part('backup and restore of a cluster', async () =>
    (await import('./scenarios/cluster-restore.mjs')).clusterRestore({ root, count: count ?? 1 }),
  );
// Replaces a cluster twice, and waits for minutes after the rollback: by hand and nightly.
if (chosen.has('rolling'))
  await part('a rolling update and its rollback', async () =>
    (await import('./scenarios/rolling.mjs')).rolling({ root, from: values.from && resolve(values.from) }),
  );
if (chosen.has('draining')) await part('draining', async () => (await import('./scenarios/draining.mjs')).draining());
if (chosen.has('frozen'))
  await part('a frozen replica', async () => (await import('./scenarios/frozen.mjs')).frozen({ count: count ?? 1 }));
if (chosen.has('frozen-store'))
  await part('a frozen object store', async () => (await import('./scenarios/frozen-store.mjs')).frozenStore());
if (chosen.has('streams')) await part('streams of lost replicas', async () => (await import('./scenarios/streams.mjs')).streams());
// Kills processes of a cluster for ten minutes: by hand and nightly.
if (chosen.has('ledger'))
  await part('answers and effects in a cluster', async () =>
    (await import('./scenarios/ledger.mjs')).ledger({ seed, requests: Number(values.requests ?? 10_000), keep: values.keep === true }),
  );
if (chosen.has('charges'))
  await part('charges', async () =>
    (await import('./scenarios/charges.mjs')).charges({
      root,
      seed,
      count: count ?? (values.ci ? 4 : 40),
      calls: Number(values.replies ?? 0),
      keep: values.keep === true,
    }),
  );
if (chosen.has('calls'))
  await part('calls of models', async () =>
    (await import('./scenarios/calls.mjs')).calls({
      root,
      seed,
      count: count ?? (values.ci ? 3 : 50),
      calls: Number(values.requests ?? (values.ci ? 1_500 : 100_000)),
      keep: values.keep === true,
    }),
  );
if (chosen.has('quota'))
  await part('quota of a key', async () =>
    (await import('./scenarios/quota.mjs')).quota({ root, seed, count: count ?? (values.ci ? 3 : 30), keep: values.keep === true }),
  );
if (chosen.has('mails'))
  await part('mails', async () =>
    (await import('./scenarios/mails.mjs')).mails({ root, seed, count: count ?? (values.ci ? 3 : 50), keep: values.keep === true }),
  );
// Checks many passwords and restarts after each kill: by hand and nightly.
if (chosen.has('factors'))
  await part('second factors', async () =>
    (await import('./scenarios/factors.mjs')).factors({ root, seed, count: count ?? 20, keep: values.keep === true }),
  );
// Waits for the end of claims of killed processes: by hand and nightly.
if (chosen.has('operations'))
  await part('exports, restatements, webhooks and redrives', async () =>
    (await import('./scenarios/operations.mjs')).operations({ root, seed, count: count ?? 10, keep: values.keep === true }),
  );
if (chosen.has('races'))
  await part('races', async () =>
    (await import('./scenarios/races.mjs')).races({ root, seed, count: count ?? (values.ci ? 2 : 200), keep: values.keep === true }),
  );
// Reads several thousand sources: by hand and nightly.
if (chosen.has('addresses'))
  await part('forbidden addresses', async () =>
    (await import('./scenarios/addresses.mjs')).addresses({ root, seed, short: values.ci === true }),
  );
if (chosen.has('hostile'))
  await part('hostile bodies', async () => (await import('./scenarios/hostile.mjs')).hostile({ root, short: values.ci === true }));
if (chosen.has('readers'))
  await part('readers', async () => (await import('./scenarios/readers.mjs')).readers({ root, short: values.ci === true }));
if (chosen.has('sabotage'))
  await part('sabotage', async () => (await import('./scenarios/sabotage.mjs')).sabotage({ root, seed, short: values.ci === true }));
conclude();

function parsedArguments() {
  try {
    const options = {
      rounds: { type: 'string' },
      replies: { type: 'string' },
      requests: { type: 'string' },
      seed: { type: 'string' },
      from: { type: 'string' },
      ci: { type: 'boolean' },
      keep: { type: 'boolean' },
    };
    const { positionals, values: given } = parseArgs({ options, allowPositionals: true });
    const unknown = positionals.find((name) => !scenarios.includes(name));
    if (unknown !== undefined) refuse(`there is no scenario ${unknown}`);
    for (const name of ['rounds', 'replies', 'requests']) {
      if (given[name] !== undefined && !/^[1-9]\d{0,5}$/.test(given[name])) refuse(`--${name} takes a whole number from 1`);
    }
    return { named: positionals.length > 0 ? new Set(positionals) : undefined, values: given };
  } catch (error) {
    return refuse(error.message);
  }
}

function refuse(why) {
  console.error(`faults: ${why}\n${usage}`);
  process.exit(2);
}
