import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { oneProcess, type Product, waitFor } from '@parlance/testing';
import { admin, environment, tokenOf } from './deployment.ts';

const PRELOAD = fileURLToPath(new URL('../../../bench/measure/count-work.cjs', import.meta.url));

const ROUNDS = 5;

type Counts = Readonly<Record<'statements' | 'rows' | 'syncs' | 'jsonBytes' | 'seals' | 'opens' | 'promises', number>>;

/**
 * The limits are about one and a half times the figures of a quiet machine, and below what a message took when each event had a write of its own
 * (117 statements, 6.4 syncs). Other load on the machine can only raise a count, because fewer writes share a group. So each count is the lowest of a
 * few rounds, and a round within the limits is the last.
 */
describe('the work of the single process', () => {
  let product: Product;
  let token = '';
  let file = '';

  beforeAll(async () => {
    // A process of its own, because it counts everything that it does.
    const options = { NODE_OPTIONS: `--require ${PRELOAD}` };
    product = await oneProcess({ ...environment, ...options, WORK_COUNTS: 'counts.json' });
    file = join(product.directory, 'counts.json');
    token = await tokenOf(product.url, admin);
  });
  afterAll(() => product?.stop());

  const ask = async (method: string, path: string, body?: object) => {
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json', prefer: 'wait=30' };
    const answer = await fetch(product.url + path, { method, headers, ...(body && { body: JSON.stringify(body) }) });
    return (await answer.json()) as { conversation_id: string };
  };
  const send = async (conversation_id?: string) =>
    (await ask('POST', '/conversation', { conversation_id, message: { content: [{ content_type: 'text', body: 'Is leave paid?' }] } }))
      .conversation_id;

  /** What each message costs, until its charge is in the figures. */
  async function countsOf(messages: number, work: () => Promise<unknown>): Promise<Counts> {
    await taken();
    await work();
    await ask('GET', '/admin/costs/summary?top_n=1');
    const counts = await taken();
    return Object.fromEntries(Object.entries(counts).map(([name, count]) => [name, count / messages])) as Counts;
  }

  async function taken(): Promise<Counts> {
    rmSync(file, { force: true });
    process.kill(product.pid!, 'SIGUSR2');
    await waitFor(() => existsSync(file), { what: 'the counts' });
    return JSON.parse(readFileSync(file, 'utf8')) as Counts;
  }

  async function expectAtMost(limits: Counts, messages: number, work: () => Promise<unknown>): Promise<void> {
    const rounds: Counts[] = [];
    const isExceeded = (name: string) => rounds.every((counts) => counts[name as keyof Counts] > limits[name as keyof Counts]);
    do rounds.push(await countsOf(messages, work));
    while (Object.keys(limits).some(isExceeded) && rounds.length < ROUNDS);
    expect({ exceeded: Object.keys(limits).filter(isExceeded), rounds }).toEqual({ exceeded: [], rounds });
  }

  it('stays small for messages that come one at a time', async () => {
    const conversation = await send();
    for (let message = 0; message < 10; message++) await send(conversation);
    const limits = { statements: 100, rows: 40, syncs: 4.5, jsonBytes: 60_000, seals: 4, opens: 10, promises: 800 };
    await expectAtMost(limits, 30, async () => {
      for (let message = 0; message < 30; message++) await send(conversation);
    });
  });

  it('is shared by messages that come at the same time', async () => {
    const together = () => Promise.all(Array.from({ length: 200 }, () => send()));
    await together();
    await expectAtMost({ statements: 75, rows: 40, syncs: 1, jsonBytes: 9_000, seals: 5, opens: 2, promises: 600 }, 200, together);
  });
});
