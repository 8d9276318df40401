import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { boot } from '../load/boot.mjs';
import { closedLoop } from '../load/closed.mjs';
import { message, signIn } from '../load/product.mjs';
import { figure, invariant, median } from '../measure/figures.mjs';
import { memory } from '../measure/process.mjs';

const IDLE = 5_000;

/** Nobody who starts the product pins it, so nothing is pinned here. */
export async function run({ short }) {
  const directory = await mkdtemp(join(tmpdir(), 'parlance-bench-'));
  try {
    return await measure(directory, short ? { runs: 1, seconds: 3, idle: 0 } : { runs: 5, seconds: 10, idle: IDLE });
  } finally {
    await rm(directory, { recursive: true, maxRetries: 3 });
  }
}

async function measure(directory, { runs, seconds, idle: rest }) {
  const used = join(directory, 'used');
  const { idle, loaded, answers } = await use(used, seconds, rest);
  const [fresh, again, npm] = [[], [], []];
  for (let round = 0; round < runs; round++) {
    fresh.push(await secondsToReady(join(directory, `fresh-${round}`)));
    again.push(await secondsToReady(used));
    // The short form runs where everything was built a moment ago, and measures nothing absolute.
    if (runs > 1) npm.push(await secondsToReady(join(directory, `npm-${round}`), ['tools/start.mjs']));
  }
  const bar = { atMost: 2.5 };
  return {
    rows: [
      figure(`ready on a fresh data directory, median of ${runs}`, median(fresh), 's', { bar }),
      figure(`  on the one that the load has filled (${answers.toLocaleString('en-US')} conversations)`, median(again), 's', { bar }),
      figure('  used ÷ fresh', median(again) / median(fresh), '', { gate: { atMost: 4 } }),
      ...(npm.length > 0 ? [figure('  by tools/start.mjs, which npm start runs, with nothing to build', median(npm), 's')] : []),
      figure(`memory, ${rest / 1_000} s after ready`, idle.now, 'MB', { bar: { atMost: 250 } }),
      figure(`  after ${seconds} s of accepting from 64 connections`, loaded.now, 'MB', { bar: { atMost: 500 } }),
      figure('  at its highest', loaded.highest, 'MB'),
      figure('  loaded ÷ idle', loaded.now / idle.now, '', { gate: { atMost: 6 } }),
    ],
    invariants: [invariant('the load was accepted', answers > 0, 'nothing was')],
  };
}

/** Memory of a product that has just started, and of the same after a load. */
async function use(dataDir, seconds, rest) {
  const { url, pid, stop } = await boot(dataDir);
  try {
    await pause(rest);
    const idle = memory(pid);
    const headers = await signIn(url);
    const { right } = await closedLoop({ url: `${url}/conversation`, headers, body: message, warmSeconds: 0, seconds, expected: 202 });
    return { idle, loaded: memory(pid), answers: right };
  } finally {
    await stop();
  }
}

async function secondsToReady(dataDir, program) {
  const { seconds, stop } = await boot(dataDir, program);
  await stop();
  return seconds;
}
