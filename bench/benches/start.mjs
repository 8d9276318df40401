import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { patience, waitFor } from '@parlance/testing';
import { Tree } from '../../faults/sabotage/tree.mjs';
import { boot, productOf } from '../load/boot.mjs';
import { closedLoop } from '../load/closed.mjs';
import { ask, message, messageIn, signIn } from '../load/product.mjs';
import { figure, invariant, median } from '../measure/figures.mjs';

const root = fileURLToPath(new URL('../..', import.meta.url));
/** Raises the version of the read model with the most rows, as a release would. */
const raised = { file: 'apps/inference/dist/projections/messages/messages.js', find: /\bversion: \d+/, put: 'version: 999' };

/** The processes are not pinned to a core, because a user's start is not pinned either. */
export async function run({ short }) {
  const directory = await mkdtemp(join(tmpdir(), 'parlance-bench-'));
  try {
    return await measure(directory, short ? { runs: 1, seconds: 3 } : { runs: 5, seconds: 10 });
  } finally {
    await rm(directory, { recursive: true, maxRetries: 3 });
  }
}

async function measure(directory, { runs, seconds }) {
  const used = join(directory, 'used');
  const { answers, replyPath } = await fill(used, seconds);
  const [fresh, again, npm] = [[], [], []];
  for (let round = 0; round < runs; round++) {
    fresh.push(await secondsToReady(join(directory, `fresh-${round}`)));
    again.push(await secondsToReady(used));
    // The short form runs right after a build, so its absolute times mean nothing.
    if (runs > 1) npm.push(await secondsToReady(join(directory, `npm-${round}`), ['tools/start.mjs']));
  }
  const upgraded = await upgrades(directory, used, replyPath, Math.min(runs, 3));
  const bar = { atMost: 2.5 };
  return {
    rows: [
      figure(`ready on a fresh data directory, median of ${runs}`, median(fresh), 's', { bar }),
      figure(`  on the one that the load has filled (${answers.toLocaleString('en-US')} conversations)`, median(again), 's', { bar }),
      figure('  used ÷ fresh', median(again) / median(fresh), '', { gate: { atMost: 4 } }),
      ...(npm.length > 0 ? [figure('  by tools/start.mjs, which npm start runs, with nothing to build', median(npm), 's')] : []),
      figure('listening on that one, with the messages of a raised version', median(upgraded.listening), 's', { bar }),
      figure('  until its messages are served', median(upgraded.served), 's'),
      figure('  raised ÷ fresh', median(upgraded.listening) / median(fresh), '', { gate: { atMost: 4 } }),
    ],
    invariants: [invariant('the load was accepted', answers > 0, 'nothing was')],
  };
}

/** A directory with conversations, and the path of one of their replies. */
async function fill(dataDir, seconds) {
  const { url, stop } = await boot(dataDir);
  try {
    const headers = await signIn(url);
    const { body } = await ask('POST', `${url}/conversation`, headers, messageIn());
    const load = { url: `${url}/conversation`, headers, body: message, warmSeconds: 0, seconds, expected: 202 };
    const { right } = await closedLoop(load);
    return { answers: right, replyPath: `/conversation/${body.conversation_id}/${body.message_id}` };
  } finally {
    await stop();
  }
}

async function secondsToReady(dataDir, program) {
  const { seconds, stop } = await boot(dataDir, program);
  await stop();
  return seconds;
}

/** Starts a release with a raised projection version on copies of a directory of the previous release. */
async function upgrades(directory, used, replyPath, runs) {
  const tree = await Tree.copyOf(root);
  try {
    await tree.plant(raised);
    const [listening, served] = [[], []];
    for (let round = 0; round < runs; round++) {
      const copy = join(directory, `raised-${round}`);
      // A product that is stopped while it starts leaves its socket, which cannot be copied.
      await cp(used, copy, { recursive: true, filter: (path) => !path.endsWith('.sock') });
      const start = performance.now();
      const { url, seconds, stop } = await boot(copy, productOf(tree.root), '/health/live');
      listening.push(seconds);
      const headers = await waitFor(() => signIn(url), { timeout: patience(300_000), what: 'the Admin to sign in to an upgraded product' });
      const isServed = async () => (await ask('GET', url + replyPath, headers)).status === 200;
      for (const end = start + patience(600_000); !(await isServed()) && performance.now() < end;) await pause(20);
      served.push((performance.now() - start) / 1_000);
      await stop();
      await rm(copy, { recursive: true, maxRetries: 3 });
    }
    return { listening, served };
  } finally {
    await tree.remove();
  }
}
