import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { oneProcess, patience, type Product, waitFor } from '@parlance/testing';
import { admin, environment } from './deployment.ts';

const LIMIT = 120;
const message = { message: { content: [{ content_type: 'text', body: 'Which buoy marks the channel?' }] } };

describe('the limits of an API key in the whole product', () => {
  let product: Product;
  let token = '';
  let bot = '';
  let endpoint = '';
  let key = '';

  const ask = async (
    method: string,
    path: string,
    body?: object,
    headers: Record<string, string> = { authorization: `Bearer ${token}` },
  ) => {
    const all = { ...headers, ...(body && { 'content-type': 'application/json' }) };
    const answer = await fetch(`${product.url}${path}`, { method, headers: all, ...(body && { body: JSON.stringify(body) }) });
    const text = await answer.text();
    // The test looks into answers of every form.
    const read: any = text === '' ? null : JSON.parse(text); // oxlint-disable-line no-explicit-any
    return { status: answer.status, headers: answer.headers, body: read };
  };
  const send = (body: object = message) => ask('POST', `${endpoint}/conversation`, body, { 'x-api-key': key });
  const usage = async () => (await ask('GET', `/bot/${bot}/publication/usage`)).body;

  beforeAll(async () => {
    product = await oneProcess(environment);
    token = (await ask('POST', '/auth/sign-in', admin, {})).body.access_token;
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
  afterAll(() => product?.stop());

  it(
    'admit no request more than the quota and count none that was not sent, also if the process is killed',
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
