// The product started as a person starts it, and how long that takes.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { get } from 'node:http';
import { fileURLToPath } from 'node:url';
import { freePort, watch } from '@parlance/testing';
import { environment } from './product.mjs';

const root = fileURLToPath(new URL('../..', import.meta.url));
const ASK_EVERY = 5;
const PATIENCE = 60_000;

/** Starts a program of this repository that starts the product, and asks until it is ready. */
export async function boot(dataDir, program = ['--max-semi-space-size=8', 'apps/parlance/dist/main.js', 'start']) {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const env = { ...process.env, ...environment, PARLANCE_PORT: String(port), PARLANCE_DATA_DIR: dataDir, PARLANCE_LOG_LEVEL: 'warn' };
  const start = performance.now();
  const child = spawn(process.execPath, program, { cwd: root, env, stdio: ['ignore', 'ignore', 'inherit'] });
  const unwatch = watch(child.pid);
  const ended = once(child, 'exit');
  const stop = async () => {
    child.kill('SIGTERM');
    await ended;
    unwatch();
  };
  while ((await status(`${url}/health/ready`)) !== 200) {
    if (child.exitCode !== null || child.signalCode !== null || performance.now() - start > PATIENCE) {
      await stop();
      throw new Error(`${program.join(' ')} was not ready within ${PATIENCE} ms`);
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
