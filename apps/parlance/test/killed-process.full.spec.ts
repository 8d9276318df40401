import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { oneProcess, patience, type Product, waitFor } from '@parlance/testing';
import { admin, environment, tokenOf } from './deployment.ts';
import { batchSurvivesKill } from './killed-batch.ts';
import { heldPages, TAKEN_OVER_WITHIN } from './sync-takeover.ts';

let product: Product;
let token = '';

const ask = async (method: string, path: string, body?: object, headers: Record<string, string> = { authorization: `Bearer ${token}` }) => {
  const allHeaders = { ...headers, ...(body && { 'content-type': 'application/json' }) };
  const answer = await fetch(`${product.url}${path}`, { method, headers: allHeaders, ...(body && { body: JSON.stringify(body) }) });
  const text = await answer.text();
  // The test reads answers of any shape.
  const read: any = text === '' ? null : JSON.parse(text); // oxlint-disable-line no-explicit-any
  return { status: answer.status, headers: answer.headers, body: read };
};

beforeAll(async () => {
  // The test cannot wait hours for the clean-up.
  product = await oneProcess({ ...environment, PARLANCE_KNOWLEDGE_CLEAN_UP_MINUTES: '1' });
  token = await tokenOf(product.url, admin);
});
afterAll(() => product?.stop());

/** Bots that are being published when the process is killed. */
const BOTS = 40;
/** A lease is 15 s. */
const SETTLED_WITHIN = patience(90_000);

const filesIn = async (directory: string) =>
  (await readdir(join(product.directory, 'data', directory), { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile())
    .map(({ name }) => name);

it(
  'publications end without a request after their process was killed, and no bot is half published',
  async () => {
    const bots: string[] = [];
    for (let n = 0; n < BOTS; n++) {
      const { id } = (await ask('POST', '/bot', { title: 'Buoy' })).body;
      await ask('PATCH', `/bot/${id}/visibility`, { target_shared_scope: 'all' });
      bots.push(id);
    }
    const accepted = new Set<string>();
    const waiting = [...bots];
    let killed: Promise<void> | undefined;
    const publishOneByOne = async () => {
      while (!killed) {
        const id = waiting.pop()!;
        const { status } = await ask('POST', `/bot/${id}/publication`, { allowed_origins: ['*'] });
        if (status === 202) accepted.add(id);
        if (accepted.size >= BOTS / 4) await (killed ??= product.kill());
      }
    };
    // Some requests are always unsent, so the requests cannot all end before the kill.
    await Promise.all(Array.from({ length: BOTS / 4 }, () => publishOneByOne().catch(() => undefined)));
    await killed;
    expect(waiting.length).toBeGreaterThan(0);
    await product.restart();
    for (const id of bots) {
      let publication = await ask('GET', `/bot/${id}/publication`);
      const isOver = async () => {
        publication = await ask('GET', `/bot/${id}/publication`);
        return publication.status === 404 ? publication.body.code === 'not_published' : publication.body.codebuild_status !== 'IN_PROGRESS';
      };
      await waitFor(isOver, { what: 'the publication to end', timeout: SETTLED_WITHIN });
      const isPublished = publication.status === 200;
      if (isPublished) expect(publication.body.codebuild_status).toBe('SUCCEEDED');
      // An accepted publication is never lost. Others may have been withdrawn.
      if (accepted.has(id)) expect(isPublished).toBe(true);
      expect((await ask('GET', `/bot/${id}`)).body.is_publication).toBe(isPublished);
      const unshared = await ask('PATCH', `/bot/${id}/visibility`, { target_shared_scope: 'private' });
      expect(unshared.body.code ?? unshared.status).toBe(isPublished ? 'bot_published' : 200);
    }
  },
  4 * SETTLED_WITHIN,
);

it(
  'a run continues without a request after its process was killed, and leaves one index and no downloads',
  async () => {
    const site = await heldPages();
    const botId = '01K0KN0W1EDGE0000000000009';
    try {
      const source_urls = [site.urlOf('/one'), site.urlOf('/two')];
      expect((await ask('POST', '/bot', { id: botId, title: 'Lights', knowledge: { source_urls } })).status).toBe(201);
      await site.requested(2);
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
      // The index that the killed process had begun is removed.
      await waitFor(async () => (await filesIn('knowledge')).every((name) => !name.endsWith('.building')), {
        what: 'the clean-up',
        timeout: 2 * TAKEN_OVER_WITHIN,
      });
    } finally {
      await site.stop();
    }
  },
  4 * TAKEN_OVER_WITHIN,
);

const LIMIT = 120;
const message = { message: { content: [{ content_type: 'text', body: 'Which buoy marks the channel?' }] } };

describe('the limits of an API key in the product', () => {
  let bot = '';
  let endpoint = '';
  let key = '';

  const send = (body: object = message) => ask('POST', `${endpoint}/conversation`, body, { 'x-api-key': key });
  const usage = async () => (await ask('GET', `/bot/${bot}/publication/usage`)).body;

  beforeAll(async () => {
    bot = (await ask('POST', '/bot', { title: 'Buoy' })).body.id;
    await ask('PATCH', `/bot/${bot}/visibility`, { target_shared_scope: 'all' });
    const terms = { quota: { limit: LIMIT, period: 'MONTH' }, throttle: { rate_limit: 10_000, burst_limit: 1_000 } };
    await ask('POST', `/bot/${bot}/publication`, { allowed_origins: ['*'], ...terms });
    const settled = async () => {
      const { body } = await ask('GET', `/bot/${bot}/publication`);
      if (body.endpoint) endpoint = new URL(body.endpoint).pathname;
      return endpoint !== '';
    };
    await waitFor(settled, { what: 'the deployment to end' });
    key = (await ask('POST', `/bot/${bot}/publication/api-key`, { description: 'Shop' })).body.value;
  });

  it(
    'admit exactly the requests of the quota, and count only sent requests, even if the process is killed',
    async () => {
      let sent = 0;
      let accepted = 0;
      const post = async (onAnswer: () => unknown = () => undefined) => {
        sent++;
        const answer = await send().catch(() => null);
        if (answer?.status === 202) accepted++;
        await onAnswer();
        return answer;
      };

      await Promise.all(Array.from({ length: 30 }, () => post()));
      expect(accepted).toBe(30);
      expect((await send({})).status).toBe(400);
      await waitFor(async () => (await usage()).request_count === 31, { what: 'the usage to be recorded' });
      expect(await usage()).toMatchObject({ by_status: { '2xx': 30, '4xx': 1, '429': 0 }, by_key: [{ request_count: 31 }] });

      let killed: Promise<void> | undefined;
      const atFifty = () => (accepted >= 50 ? (killed ??= product.kill()) : undefined);
      await Promise.all(Array.from({ length: 60 }, () => post(atFifty)));
      await killed;
      await product.restart();
      expect((await usage()).request_count).toBeGreaterThanOrEqual(31);
      expect((await usage()).request_count).toBeLessThanOrEqual(sent + 1);

      const rest = await Promise.all(Array.from({ length: 2 * LIMIT }, () => post()));
      expect(accepted).toBeLessThanOrEqual(LIMIT);
      const refused = rest.filter((answer) => answer?.status === 429);
      expect(new Set(refused.map((answer) => answer!.body.code))).toEqual(new Set(['quota_exceeded']));
      const { headers, body } = refused[0]!;
      expect([Number(headers.get('retry-after')) > 0, headers.get('x-ratelimit-limit'), headers.get('x-ratelimit-remaining')]).toEqual([
        true,
        String(LIMIT),
        '0',
      ]);
      expect(body.resets_at).toBe(Number(headers.get('x-ratelimit-reset')));
    },
    patience(300_000),
  );

  it('admit exactly the requests that a higher limit adds', async () => {
    expect((await usage()).by_key[0].quota.limit).toBe(LIMIT);
    const answer = await ask('PATCH', `/bot/${bot}/publication`, { quota: { limit: LIMIT + 25, period: 'MONTH' } });
    expect(answer.status).toBe(200);
    const statuses = (await Promise.all(Array.from({ length: 100 }, () => send()))).map(({ status }) => status);
    expect(statuses.filter((status) => status === 202)).toHaveLength(25);
    expect((await send()).body.code).toBe('quota_exceeded');
  });
});

it(
  'a batch goes on after its process was killed, and sends only requests again that were in flight',
  () => batchSurvivesKill(product, () => tokenOf(product.url, admin), SETTLED_WITHIN),
  2 * SETTLED_WITHIN,
);
