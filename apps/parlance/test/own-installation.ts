import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll } from '@jest/globals';
import { freePort, oneProcess } from '@parlance/testing';
import { admin, environment, tokenOf } from './deployment.ts';

const main = fileURLToPath(new URL('../dist/main.js', import.meta.url));

interface Outcome {
  readonly code: number;
  readonly out: string;
  readonly error: string;
}

interface Answer {
  readonly status: number;
  // oxlint-disable-next-line no-explicit-any
  readonly body: Record<string, any>;
}

/** One process of the product for one spec file, with a folder that is kept while the product is stopped. */
export async function ownInstallation() {
  const base = await mkdtemp(join(tmpdir(), 'parlance-installation-'));
  const data = join(base, 'data');
  const env: Record<string, string> = { ...environment, PARLANCE_PORT: String(await freePort()), PARLANCE_DATA_DIR: data };
  const product = await oneProcess(env, { directory: base });
  afterAll(async () => {
    await product.stop();
    await rm(base, { recursive: true, force: true, maxRetries: 3 });
  });

  /** Runs a command of the command line with the configuration of the product. */
  const parlance = (...words: string[]) =>
    new Promise<Outcome>((resolve) => {
      execFile(
        process.execPath,
        [main, ...words],
        { env: { ...process.env, PARLANCE_LOG_LEVEL: 'warn', ...env }, cwd: base },
        (failure, out, error) => resolve({ code: failure ? Number(failure.code ?? -1) : 0, out, error }),
      );
    });

  /** Sends a request of the first Admin. */
  async function ask(path: string, body?: object, method = body ? 'POST' : 'GET'): Promise<Answer> {
    const answer = await fetch(product.url + path, {
      method,
      headers: { authorization: `Bearer ${await tokenOf(product.url, admin)}`, ...(body && { 'content-type': 'application/json' }) },
      ...(body && { body: JSON.stringify(body) }),
    });
    return { status: answer.status, body: (await answer.json()) as Answer['body'] };
  }
  return { base, data, env, product, parlance, ask };
}
