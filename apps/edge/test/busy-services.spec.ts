import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { refuse } from '@parlance/decider';
import { type PublishedUnderTest, publishedEdge } from './published/published-rig.ts';
import { edgeWith, type EdgeUnderTest, stub } from './rig.ts';

const busy = refuse('unavailable', 'busy', 'Too much work arrives.', { retry_after: 1 });
const json = { 'content-type': 'application/json', 'idempotency-key': 'one' };

/** Sends the beginning of a body, and the rest if it is to be answered in full. */
async function post(url: string, path: string, headers: Record<string, string>, { isWhole = true } = {}) {
  const body = JSON.stringify({ text: 'x'.repeat(50_000) });
  const sent = request(`${url}${path}`, { method: 'POST', headers: { ...headers, 'content-length': String(body.length) } });
  sent.on('error', () => undefined).write(body.slice(0, 100));
  if (isWhole) sent.end(body.slice(100));
  const [answer] = (await once(sent, 'response')) as [IncomingMessage];
  const got = JSON.parse(await text(answer)) as { code?: string };
  sent.destroy();
  return { status: answer.statusCode, code: got.code, retryAfter: answer.headers['retry-after'] };
}

const refused = { status: 503, code: 'busy', retryAfter: '1' };

describe('an edge with a busy service in its process', () => {
  let edge: EdgeUnderTest;
  let calls = 0;
  const paths = { '/work': { post: { operationId: 'work', security: [{ bearer: [] }], responses: { 201: {} }, 'x-starts-work': true } } };
  const service = stub('bots', paths);
  service.post('/work', (_, reply) => reply.code(201).send({ calls: ++calls }));
  beforeAll(async () => (edge = await edgeWith({ bots: service })));
  afterAll(() => edge.stop());

  it('refuses work before its body has arrived, and remembers nothing of it', async () => {
    const headers = { ...json, ...(await edge.as('ann')) };
    service.refusalOfWork = () => busy;
    expect(await post(edge.url, '/work', headers, { isWhole: false })).toEqual(refused);
    service.refusalOfWork = () => null;
    expect((await post(edge.url, '/work', headers)).status).toBe(201);
    expect(calls).toBe(1);
    service.refusalOfWork = () => busy;
    expect((await post(edge.url, '/work', await edge.as('ann'), { isWhole: false })).code).toBe('busy');
    service.refusalOfWork = () => null;
  });
});

describe('an edge with a busy published bot in its process', () => {
  let under: PublishedUnderTest;
  beforeAll(async () => (under = await publishedEdge()));
  afterAll(() => under.edge.stop());

  it('refuses messages before their bodies have arrived, and takes nothing from the quota', async () => {
    const { edge, publications, inference, limits } = under;
    const apiId = publications.publish();
    const { value } = publications.createKey(apiId);
    const path = `/published/${apiId}/api/conversation`;
    inference.refusalOfWork = () => busy;
    expect(await post(edge.url, path, { ...json, 'x-api-key': value }, { isWhole: false })).toEqual(refused);
    expect([limits.taken, inference.served]).toEqual([0, 0]);
    inference.refusalOfWork = () => null;
    expect((await post(edge.url, path, { ...json, 'x-api-key': value })).status).toBe(202);
    expect([limits.taken, inference.served]).toEqual([1, 1]);
  });
});
