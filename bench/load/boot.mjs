// Starts the product like a user does, and measures the time.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { get } from 'node:http';
import { fileURLToPath } from 'node:url';
import { freePort, patience, watch } from '@parlance/testing';
import { environment } from './product.mjs';

const root = fileURLToPath(new URL('../..', import.meta.url));
const { nodeFlags, environment: environmentOfNode } = JSON.parse(readFileSync(`${root}/package.json`, 'utf8')).config;
const ASK_EVERY = 5;
const LONGEST_MS = 120_000;

/** The command that starts the built product, of this tree or of a copy of it. */
export const productOf = (tree = '.') => [...nodeFlags, `${tree}/apps/parlance/dist/main.js`, 'start'];

/** Starts a program that starts the product, and requests this path until the answer is 200. */
export async function boot(dataDir, program = productOf(), path = '/health/ready') {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const env = {
    ...process.env,
    ...environmentOfNode,
    ...environment,
    PARLANCE_PORT: String(port),
    PARLANCE_DATA_DIR: dataDir,
    PARLANCE_LOG_LEVEL: 'warn',
  };
  const start = performance.now();
  const child = spawn(process.execPath, program, { cwd: root, env, stdio: ['ignore', 'ignore', 'inherit'] });
  const unwatch = watch(child.pid);
  const ended = once(child, 'exit');
  const stop = async () => {
    child.kill('SIGTERM');
    await ended;
    unwatch();
  };
  while ((await status(url + path)) !== 200) {
    if (child.exitCode !== null || child.signalCode !== null || performance.now() - start > patience(LONGEST_MS)) {
      await stop();
      throw new Error(`${program.join(' ')} was not ready in time`);
    }
    await new Promise((resolve) => setTimeout(resolve, ASK_EVERY));
  }
  return { url, pid: child.pid, seconds: (performance.now() - start) / 1_000, stop };
}

function status(url) {
  return new Promise((resolve) => {
    get(url, (answer) => {
      answer.resume();
      resolve(answer.statusCode);
    }).once('error', () => resolve(null));
  });
}
