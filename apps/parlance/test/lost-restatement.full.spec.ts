import { cpSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { waitFor } from '@parlance/testing';
import { ownInstallation } from './own-installation.ts';

const from = '2026-01-01T00:00:00Z';
const nano = (dollars: number) => Math.round(dollars * 1e9);

const { base, product, parlance, ask } = await ownInstallation();

/** The tests tell one story, in this order. */
describe('restated costs of an installation that has lost a part of the log of inference', () => {
  /** The charge of the first message, at half of the right price. */
  let first: number;
  const file = () => join(base, 'data', 'inference.db');

  const costs = async () => {
    const { status, body } = await ask('/admin/costs/summary');
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
  /** Sends a message and returns its charge. */
  async function message(): Promise<number> {
    const before = (await costs())!.billed;
    const content = [{ content_type: 'text', body: 'How long does a refund take?' }];
    expect((await ask('/conversation', { message: { content } })).status).toBe(202);
    let after = before;
    await waitFor(async () => (after = (await costs())!.billed) > before, { what: 'the charge' });
    // The title is charged separately.
    await waitFor(
      async () => {
        const last = after;
        after = (await costs())!.billed;
        const { body } = await ask('/conversations?limit=1');
        return after === last && body['conversations'].length > 0;
      },
      { what: 'all charges' },
    );
    return after - before;
  }
  /** Restates the costs. Returns the difference between the billed and the corrected costs. */
  async function restate(): Promise<number> {
    const { body: requested } = await ask('/admin/costs/restate', { from, dry_run: false });
    let found: Awaited<ReturnType<typeof ask>>['body'] = {};
    await waitFor(
      async () => {
        ({ body: found } = await ask(`/admin/costs/restatements/${requested['id']}`));
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
    expect(await parlance('accept-loss', 'inference')).toMatchObject({ code: 0, error: '' });
    await product.restart();
  }
  async function copied(copy: string): Promise<void> {
    await product.stop();
    cpSync(file(), join(base, copy));
    await product.restart();
  }

  it('lack the lost corrections, and the lost usage of the same period', async () => {
    first = await message();
    expect((await ask('/admin/models/local-extractive/prices', { from, input: 1, output: 4 }, 'PUT')).status).toBe(200);
    await copied('before');
    const second = await message();
    expect(second).toBe(2 * first);
    expect(await restate()).toBe(first);
    await costsBecome(first + second, 2 * first + second);
    await putBack('before');
    await costsBecome(first, first);
  });

  it('are exact again after another restatement, although new usage has the positions of lost usage', async () => {
    const second = await message();
    expect(await restate()).toBe(first);
    await costsBecome(first + second, 2 * first + second);
  });

  it('keep the remaining corrections, and correct no charge twice', async () => {
    await copied('after');
    const third = await message();
    expect((await ask('/admin/models/local-extractive/prices', { from, input: 2, output: 8 }, 'PUT')).status).toBe(200);
    expect(await restate()).toBe(3 * 4 * first - (first + 2 * first + third));
    await putBack('after');
    await costsBecome(3 * first, 4 * first);
    expect(await restate()).toBe(first);
    const fourth = await message();
    await costsBecome(3 * first + fourth, 4 * first + fourth);
    await product.stop();
    expect(await parlance('verify')).toMatchObject({ code: 0, error: '' });
  });
});
