// The product with the flags of `npm start`, observed from outside while others load it.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as rest } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { Product } from './product.mjs';

export { rest };

/**
 * Starts the product. `heldUp` resolves with the longest CPU time in milliseconds between two turns of its event loop since the last call.
 * `peak` returns its peak memory in megabytes, as the kernel counts it.
 */
export async function watched(root, env = {}) {
  const directory = mkdtempSync(join(tmpdir(), 'parlance-watched-'));
  const { nodeFlags, environment } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).config;
  const watchedAt = join(directory, 'loop-watch');
  const product = await Product.open(root, directory, {
    NODE_OPTIONS: `${nodeFlags.join(' ')} --import=${new URL('loop-watch.mjs', import.meta.url)}`,
    LOOP_WATCH_FILE: watchedAt,
    ...environment,
    ...env,
  });
  await product.start();
  const heldUp = async () => Number(await (await fetch(readFileSync(watchedAt, 'utf8'))).text());
  const peak = () => {
    const [, kilobytes] = /VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${product.pid}/status`, 'utf8')) ?? [];
    return Math.round(Number(kilobytes) / 1024);
  };
  const end = async () => {
    await product.stop();
    rmSync(directory, { recursive: true });
  };
  return { product, heldUp, peak, end };
}

/** Repeats a small request, and records the wait of each. */
export class Probe {
  #worker;

  constructor(what) {
    this.#worker = new Worker(new URL('probe.mjs', import.meta.url), { workerData: what });
  }

  /** The waits since the last call. */
  taken() {
    return new Promise((resolve) => {
      this.#worker.once('message', resolve);
      this.#worker.postMessage('take');
    });
  }

  async stop() {
    this.#worker.postMessage('stop');
    await new Promise((resolve) => this.#worker.once('exit', resolve));
  }
}

export const longest = (waits) => Math.max(0, ...waits.map(({ millis }) => millis));
