import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { oneProcess, type Product, waitFor } from '@parlance/testing';
import { admin, environment } from './deployment.ts';
import { heldPages, TAKEN_OVER_WITHIN } from './sync-takeover.ts';

const botId = '01K0KN0W1EDGE0000000000009';
let product: Product;
let site: Awaited<ReturnType<typeof heldPages>>;
let token = '';

const ask = async (method: string, path: string, body?: object) => {
  const headers = { ...(token && { authorization: `Bearer ${token}` }), ...(body && { 'content-type': 'application/json' }) };
  const answer = await fetch(`${product.url}${path}`, { method, headers, ...(body && { body: JSON.stringify(body) }) });
  // The test looks into answers of every form.
  const read: any = await answer.json(); // oxlint-disable-line no-explicit-any
  return { status: answer.status, body: read };
};
const filesIn = async (directory: string) =>
  (await readdir(join(product.directory, 'data', directory), { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile())
    .map(({ name }) => name);

beforeAll(async () => {
  // The clean-up is not waited for in hours.
  product = await oneProcess({ ...environment, PARLANCE_KNOWLEDGE_CLEAN_UP_MINUTES: '1' });
  site = await heldPages();
  token = (await ask('POST', '/auth/sign-in', admin)).body.access_token;
});
afterAll(async () => {
  await site?.stop();
  await product?.stop();
});

it(
  'a run goes on by itself after its process was killed, and leaves one index and no downloads',
  async () => {
    const source_urls = [site.urlOf('/one'), site.urlOf('/two')];
    expect((await ask('POST', '/bot', { id: botId, title: 'Lights', knowledge: { source_urls } })).status).toBe(201);
    await site.asked(2);
    const before = (await ask('GET', `/bot/${botId}/knowledge/sync`)).body;
    await product.kill();
    site.release();
    await product.restart();
    let run = before;
    await waitFor(
      async () => {
        run = (await ask('GET', `/bot/${botId}/knowledge/sync`)).body;
        return run.sync_status === 'SUCCEEDED';
      },
      { what: 'the run to end', timeout: TAKEN_OVER_WITHIN },
    );
    expect(run).toMatchObject({ execution_id: before.execution_id, sources: { pages: { done: 2, failed: 0 } }, chunks_in_service: 2 });
    const { body } = await ask('POST', `/bot/${botId}/knowledge/search`, { query: 'Which lighthouse is dark?' });
    expect(body.results.map(({ source }: { source: string }) => source).toSorted()).toEqual(source_urls);
    expect((await filesIn('knowledge')).filter((name) => name.endsWith('.sqlite'))).toHaveLength(1);
    expect(await filesIn('scratch')).toEqual([]);
    // What the killed process had begun.
    await waitFor(async () => (await filesIn('knowledge')).every((name) => !name.endsWith('.building')), {
      what: 'the clean-up',
      timeout: 2 * TAKEN_OVER_WITHIN,
    });
  },
  4 * TAKEN_OVER_WITHIN,
);
