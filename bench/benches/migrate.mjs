import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { watch, writeSourceExport } from '@parlance/testing';
import { cpuMicros, memory } from '../measure/process.mjs';
import { figure, invariant } from '../measure/figures.mjs';

const root = fileURLToPath(new URL('../..', import.meta.url));
const LOOK_MS = 20;

/** The whole command on a generated export of V3: start, users, bots, conversations, comparison. The process is not pinned to a core. */
export async function run({ short }) {
  const directory = await mkdtemp(join(tmpdir(), 'parlance-bench-'));
  try {
    const conversations = short ? 500 : 20_000;
    const truth = await writeSourceExport({
      directory: join(directory, 'export'),
      version: 3,
      seed: 5,
      users: 200,
      bots: 20,
      conversations,
    });
    const { seconds, cpuMillis, peak, code, phase } = await migrate(directory);
    const { taken } = JSON.parse(await readFile(join(directory, 'migration-export/summary.json'), 'utf8'));
    const rate = conversations / phase;
    return {
      rows: [
        figure(`conversations taken, of ${(truth.messages / conversations).toFixed(1)} messages each`, rate, '/s', {
          bar: { atLeast: 2_000 },
        }),
        figure('  processor time of the whole command for each', cpuMillis / conversations, 'ms'),
        figure('  the whole command', seconds, 's'),
        figure('  highest memory', peak, 'MB'),
      ],
      invariants: [
        invariant('the command agrees with the product', code === 0, `it ended with ${code}`),
        invariant('all conversations are taken', taken.conversations === truth.conversations, `${taken.conversations} are`),
        invariant('the cost is exact', taken.nano_dollars === truth.nanoDollars, `${taken.nano_dollars} of ${truth.nanoDollars}`),
      ],
    };
  } finally {
    await rm(directory, { recursive: true, maxRetries: 3 });
  }
}

async function migrate(directory) {
  const args = [
    '--max-semi-space-size=16',
    '--max-old-space-size=512',
    '--v8-pool-size=1',
    join(root, 'apps/parlance/dist/main.js'),
    'migrate',
    '--from',
    join(directory, 'export'),
  ];
  const env = { ...process.env, PARLANCE_DATA_DIR: join(directory, 'data'), PARLANCE_LOG_LEVEL: 'warn', PARLANCE_GUIDE_BOT: 'false' };
  const start = performance.now();
  const child = spawn(process.execPath, args, { cwd: directory, env, stdio: ['ignore', 'pipe', 'inherit'] });
  const unwatch = watch(child.pid);
  // The output shows when users and bots are done (the line about bots) and when conversations are (the table).
  let [begun, done, output] = [start, start, ''];
  child.stdout.setEncoding('utf8').on('data', (text) => {
    output += text;
    if (begun === start && output.includes('\nBots ')) begun = performance.now();
    if (done === start && output.includes('  Users ')) done = performance.now();
  });
  const ended = new Promise((resolve) => child.once('close', resolve));
  let [cpuMillis, peak] = [0, 0];
  while (child.exitCode === null && child.signalCode === null) {
    cpuMillis = Math.max(cpuMillis, cpuMicros(child.pid) / 1_000 || 0);
    peak = Math.max(peak, memory(child.pid).highest || 0);
    await Promise.race([ended, pause(LOOK_MS)]);
  }
  const code = await ended;
  unwatch();
  return { code, seconds: (performance.now() - start) / 1_000, phase: (done - begun) / 1_000, cpuMillis, peak };
}
