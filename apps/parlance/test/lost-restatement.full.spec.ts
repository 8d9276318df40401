import { execFile } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { freePort, oneProcess, type Product, waitFor } from '@parlance/testing';
import { admin, environment } from './deployment.ts';

const main = fileURLToPath(new URL('../dist/main.js', import.meta.url));
const from = '2026-01-01T00:00:00Z';
const nano = (dollars: number) => Math.round(dollars * 1e9);

jest.setTimeout(180_000);

interface Answer {
  readonly status: number;
  // oxlint-disable-next-line no-explicit-any
  readonly body: Record<string, any>;
}

/** The tests tell one story, in this order. */
describe('restated costs of an installation that lost a part of the log of inference', () => {
  let base: string;
  let env: Record<string, string>;
  let product: Product;
  let token: string;
  /** Of the first message, which was charged at half of the right price. */
  let first: number;
  const file = () => join(base, 'data', 'inference.db');

  async function ask(method: string, path: string, body?: object): Promise<Answer> {
    const headers = { authorization: `Bearer ${token}`, ...(body && { 'content-type': 'application/json' }) };
    const answer = await fetch(product.url + path, { method, headers, ...(body && { body: JSON.stringify(body) }) });
    return { status: answer.status, body: (await answer.json()) as Answer['body'] };
  }
  async function signIn(): Promise<void> {
    ({ access_token: token } = (await ask('POST', '/auth/sign-in', admin)).body as { access_token: string });
  }
  async function restart(): Promise<void> {
    await product.restart();
    await signIn();
  }
  function parlance(...words: string[]): Promise<{ code: number; error: string }> {
    return new Promise((resolve) => {
      execFile(process.execPath, [main, ...words], { env: { ...process.env, ...env }, cwd: base }, (failure, _, error) =>
        resolve({ code: failure ? Number(failure.code) : 0, error }),
      );
    });
  }
  const costs = async () => {
    const { status, body } = await ask('GET', '/admin/costs/summary');
    // 503 while the read model is being built.
    return status === 200 ? { billed: nano(body['as_billed']), corrected: nano(body['as_corrected']) } : null;
  };
  const costsBecome = (billed: number, corrected: number) =>
    waitFor(
      async () => {
        const now = await costs();
        return now?.billed === billed && now.corrected === corrected;
      },
      { what: `costs of ${billed} billed and ${corrected} corrected` },
    );
  /** Returns its charge. */
  async function message(): Promise<number> {
    const before = (await costs())!.billed;
    const content = [{ content_type: 'text', body: 'How long does a refund take?' }];
    expect((await ask('POST', '/conversation', { message: { content } })).status).toBe(202);
    let after = before;
    await waitFor(async () => (after = (await costs())!.billed) > before, { what: 'the charge' });
    // The title is charged apart.
    await waitFor(
      async () => {
        const last = after;
        after = (await costs())!.billed;
        const { body } = await ask('GET', '/conversations?limit=1');
        return after === last && body['conversations'].length > 0;
      },
      { what: 'all charges' },
    );
    return after - before;
  }
  /** Returns the difference between what was billed and the corrected costs. */
  async function restate(): Promise<number> {
    const { body: asked } = await ask('POST', '/admin/costs/restate', { from, dry_run: false });
    let found: Answer['body'] = {};
    await waitFor(
      async () => {
        ({ body: found } = await ask('GET', `/admin/costs/restatements/${asked['id']}`));
        return found['status'] === 'completed';
      },
      { what: 'the restatement' },
    );
    return nano(found['total'].difference);
  }
  async function putBack(copy: string): Promise<void> {
    await product.stop();
    for (const suffix of ['-wal', '-shm']) rmSync(file() + suffix, { force: true });
    cpSync(join(base, copy), file());
    expect((await parlance('start')).error).toMatch(/the data of inference .* they are an older copy/);
    expect(await parlance('accept-loss', 'inference')).toEqual({ code: 0, error: '' });
    await restart();
  }
  async function copied(copy: string): Promise<void> {
    await product.stop();
    cpSync(file(), join(base, copy));
    await restart();
  }

  beforeAll(async () => {
    base = mkdtempSync(join(tmpdir(), 'parlance-restated-'));
    env = {
      ...environment,
      PARLANCE_PORT: String(await freePort()),
      PARLANCE_DATA_DIR: join(base, 'data'),
      PARLANCE_LOG_LEVEL: 'warn',
    };
    product = await oneProcess(env, { directory: base });
    await signIn();
  });
  afterAll(async () => {
    await product.stop();
    rmSync(base, { recursive: true, force: true, maxRetries: 3 });
  });

  it('lose the corrections that are lost, with the usage of the same time', async () => {
    first = await message();
    expect((await ask('PUT', '/admin/models/local-extractive/prices', { from, input: 1, output: 4 })).status).toBe(200);
    await copied('before');
    const second = await message();
    expect(second).toBe(2 * first);
    expect(await restate()).toBe(first);
    await costsBecome(first + second, 2 * first + second);
    await putBack('before');
    await costsBecome(first, first);
  });

  it('are exact again after another restatement, although usage has taken the positions of lost usage', async () => {
    const second = await message();
    expect(await restate()).toBe(first);
    await costsBecome(first + second, 2 * first + second);
  });

  it('keep the corrections that were not lost, and correct nothing twice', async () => {
    await copied('after');
    const third = await message();
    expect((await ask('PUT', '/admin/models/local-extractive/prices', { from, input: 2, output: 8 })).status).toBe(200);
    expect(await restate()).toBe(3 * 4 * first - (first + 2 * first + third));
    await putBack('after');
    await costsBecome(3 * first, 4 * first);
    expect(await restate()).toBe(first);
    const fourth = await message();
    await costsBecome(3 * first + fourth, 4 * first + fourth);
    await product.stop();
    expect(await parlance('verify')).toEqual({ code: 0, error: '' });
  });
});
