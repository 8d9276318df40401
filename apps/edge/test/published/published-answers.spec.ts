import { once } from 'node:events';
import { type IncomingMessage, request as httpRequest } from 'node:http';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { newId } from '@parlance/event-store';
import { waitFor } from '@parlance/testing';
import { Idempotency } from '../../src/http/idempotency/idempotency.ts';
import { raw } from '../raw.ts';
import { type PublishedUnderTest, publishedEdge } from './published-rig.ts';

const json = { 'content-type': 'application/json' };
const shop = 'https://shop.example.org';

describe.each([
  ['in one process', false],
  ['over HTTP', true],
])('the answers of a published bot, %s,', (_, overHttp) => {
  let under: PublishedUnderTest;
  let apiId: string;
  let value: string;
  beforeAll(async () => {
    const settings = { PARLANCE_PUBLISHED_DOMAIN: 'apis.example.org', PARLANCE_PUBLIC_BASE_URL: 'https://chat.example.org' };
    under = await publishedEdge({ overHttp, settings });
    apiId = under.publications.publish({ allowed_origins: [shop] });
    ({ value } = under.publications.createKey(apiId));
  });
  afterAll(() => under.edge.stop());

  const at = (below: string, api = apiId) => `/published/${api}/api${below}`;
  const ask = (below: string, headers: Record<string, string> = {}, method = 'GET', api = apiId) =>
    raw(under.edge.url, at(below, api), { method, headers });
  /** Starts a request. `stop` closes its connection. */
  const begin = (body: object) => {
    const { hostname, port } = new URL(under.edge.url);
    const sent = httpRequest({
      hostname,
      port,
      path: at('/conversation'),
      method: 'POST',
      headers: { 'x-api-key': value, ...json },
      agent: false,
    });
    sent.on('error', () => undefined);
    sent.end(JSON.stringify(body));
    return sent;
  };

  const cors = {
    'access-control-allow-origin': shop,
    'access-control-expose-headers': expect.stringMatching(/X-RateLimit-Remaining.*X-Should-Retry.*Mcp-Session-Id/),
    vary: 'Origin',
  };
  it('may be read by pages of its origins, including refusals', async () => {
    for (const headers of [{ 'x-api-key': value }, {}, { 'x-api-key': 'prl_x' }] as Record<string, string>[])
      expect((await ask('/conversation/c1', { origin: shop, ...headers })).headers).toMatchObject(cors);
    const anywhere = under.publications.publish();
    expect((await ask('/x', { origin: 'null' }, 'OPTIONS', anywhere)).headers['access-control-allow-origin']).toBe('*');
  });
  it.each([
    [undefined, 'Authorization, Content-Type, x-api-key, Idempotency-Key'],
    [
      'authorization,content-type,x-stainless-os,x-stainless-retry-count,openai-beta,anthropic-version,mcp-protocol-version,last-event-id',
      'authorization, content-type, x-stainless-os, x-stainless-retry-count, openai-beta, anthropic-version, mcp-protocol-version, last-event-id',
    ],
    ['authorization,user-agent', 'authorization, user-agent'],
    ['cookie, X-Api-Key, x-forwarded-for, x-parlance-caller', 'x-api-key'],
    [`${'x-stainless-a,'.repeat(64)}x-api-key`, Array(64).fill('x-stainless-a').join(', ')],
  ])('allow the headers of SDKs to pages of its origins: %s', async (asked, allowed) => {
    const headers = { origin: shop, 'access-control-request-method': 'POST', ...(asked && { 'access-control-request-headers': asked }) };
    const preflight = await ask('/conversation', headers, 'OPTIONS');
    expect([preflight.status, preflight.body]).toEqual([204, '']);
    expect(preflight.headers).toMatchObject({
      'access-control-allow-origin': shop,
      'access-control-allow-methods': 'GET, POST, DELETE, OPTIONS',
      'access-control-allow-headers': allowed,
      'access-control-max-age': '600',
      vary: 'Origin',
    });
  });
  it.each([
    'null',
    `${shop}.evil.example`,
    'https://evilshop.example.org',
    'http://shop.example.org',
    `${shop}:443`,
    `${shop}/`,
    'https://Shop.example.org',
    '*',
    '',
  ])('may not be read by pages of %j', async (origin) => {
    for (const method of ['GET', 'OPTIONS']) {
      const { headers } = await ask('/conversation/c1', { origin, 'x-api-key': value }, method);
      expect(Object.keys(headers).filter((name) => name.startsWith('access-control-'))).toEqual([]);
      expect(headers.vary).toBe('Origin');
    }
  });
  it('include the answer to a preflight only if a bot is published', async () => {
    expect((await raw(under.edge.url, `/published/${apiId}/other/x`, { method: 'OPTIONS' })).code).toBe('not_published');
  });

  it('have a description of the one API, without a key', async () => {
    const answer = await ask('/openapi.json');
    const document = JSON.parse(answer.body);
    expect(answer.status).toBe(200);
    expect(document.servers).toEqual([{ url: `https://chat.example.org${at('')}` }, { url: `https://${apiId}.apis.example.org/api` }]);
    expect(Object.keys(document.paths).sort()).toEqual([
      '/conversation',
      '/conversation/{id}',
      '/conversation/{id}/stream',
      '/mcp',
      '/openapi.json',
      '/v1/chat/completions',
      '/v1/models',
    ]);
    expect(Object.keys(document.components.schemas)).toEqual(['Asked', 'Part', 'Problem', 'PublishedDocumentDocumentAnswer']);
    const read = document.paths['/conversation/{id}'].get;
    expect([read.parameters.map(({ name }: { name: string }) => name), read.security]).toEqual([['page_size'], [{ apiKey: [] }]]);
    expect(document.paths['/v1/chat/completions'].post.security).toEqual([{ apiKey: [] }, { apiKeyAsBearer: [] }]);
    expect(Object.keys(document.components.securitySchemes)).toEqual(['apiKey', 'apiKeyAsBearer']);
    const codes = (status: number) =>
      document.paths['/conversation'].post.responses[status].content['application/problem+json'].schema.allOf[1].properties.code.enum;
    expect([codes(403), codes(404), codes(429)]).toEqual([
      ['address_not_allowed', 'invalid_api_key'],
      ['not_published'],
      ['quota_exceeded', 'throttled', 'too_many_requests'],
    ]);
    expect(document.paths['/conversation'].post.responses[202].headers).toHaveProperty('x-ratelimit-remaining');
  });
  it('have a description that is serialized once, not for each request and API', async () => {
    const other = under.publications.publish();
    const { headers } = await ask('/openapi.json');
    const written = jest.spyOn(JSON, 'stringify');
    try {
      const answers = [await ask('/openapi.json'), await ask('/openapi.json', {}, 'GET', other)];
      expect(answers.map(({ body }) => JSON.parse(body).servers[0].url)).toEqual(
        [apiId, other].map((id) => `https://chat.example.org/published/${id}/api`),
      );
      expect(
        written.mock.calls.filter(
          ([document]: readonly unknown[]) => typeof document === 'object' && document !== null && 'paths' in document,
        ),
      ).toEqual([]);
    } finally {
      written.mockRestore();
    }
    expect(headers['content-type']).toBe('application/json; charset=utf-8');
  });
  it('have a guide for people, without a key, that loads and runs nothing', async () => {
    const { status, headers, body } = await ask('/docs');
    expect([status, headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
    expect(headers['content-security-policy']).toMatch(/^default-src 'none'; style-src 'sha256-[^']+'; base-uri 'none'/);
    expect(body).toContain(`https://chat.example.org${at('')}/conversation`);
    expect(body).not.toMatch(/<script|<link| src=/);
    expect((await raw(under.edge.url, `/published/${apiId}/other/docs`, {})).code).toBe('not_published');
    expect((await ask('/docs', {}, 'POST')).status).toBe(403);
  });
  it('are in the description of the product too', async () => {
    const { paths } = JSON.parse((await raw(under.edge.url, '/openapi.json')).body);
    expect(paths['/published/{apiId}/{stage}/conversation'].post.security).toEqual([{ apiKey: [] }]);
  });
  it('have no body for HEAD', async () => {
    const answer = await ask('/conversation/c1', { 'x-api-key': value }, 'HEAD');
    expect([answer.status, answer.body]).toEqual([200, '']);
    expect((await ask('/v1/x', {}, 'HEAD')).status).toBe(401);
  });

  it('are streamed as they are generated', async () => {
    const sent = begin({ bot_title: 'stream' });
    const [answer] = (await once(sent, 'response')) as [IncomingMessage];
    const [chunk] = (await once(answer, 'data')) as [Buffer];
    expect([String(chunk), answer.headers['x-ratelimit-limit']]).toEqual(['data: 1\n\n', '3']);
    under.inference.server.emit('go on');
    const [last] = (await once(answer, 'data')) as [Buffer];
    expect(String(last)).toBe('data: 2\n\n');
  });
  it('end at the service when the client leaves, without returning the use of the quota', async () => {
    const { served, endedEarly } = under.inference;
    const sent = begin({ bot_title: 'wait' });
    await waitFor(() => under.inference.served > served);
    const before = under.limits.ended.length;
    sent.destroy();
    await waitFor(() => under.inference.endedEarly > endedEarly && under.limits.ended.length > before);
    expect(under.limits.ended.at(-1)).toEqual([200, true]);
    under.inference.server.emit('go on');
  });
  it('return the use of the quota if the client leaves before its body is complete', async () => {
    const { hostname, port } = new URL(under.edge.url);
    const taken = under.limits.taken;
    const headers = { 'x-api-key': value, ...json, 'content-length': '9' };
    const sent = httpRequest({ hostname, port, path: at('/conversation'), method: 'POST', headers, agent: false });
    sent.on('error', () => undefined);
    sent.write('{');
    await waitFor(() => under.limits.taken > taken);
    const before = under.limits.ended.length;
    sent.destroy();
    await waitFor(() => under.limits.ended.length > before);
    expect(under.limits.ended.at(-1)![1]).toBe(false);
  });
  it('do not come from the service if the key is revoked before the body is complete', async () => {
    const key = under.publications.createKey(apiId);
    const { hostname, port } = new URL(under.edge.url);
    const [taken, served] = [under.limits.taken, under.inference.served];
    const headers = { 'x-api-key': key.value, ...json, 'content-length': '2' };
    const sent = httpRequest({ hostname, port, path: at('/conversation'), method: 'POST', headers, agent: false });
    const answered = once(sent, 'response') as Promise<[IncomingMessage]>;
    sent.write('{');
    await waitFor(() => under.limits.taken > taken);
    await under.publications.revokeKey(key.keyId);
    sent.end('}');
    const [answer] = await answered;
    answer.resume();
    expect([answer.statusCode, under.inference.served]).toEqual([403, served]);
  });
  it('do not come from the service if the key is revoked while the request is remembered', async () => {
    const key = under.publications.createKey(apiId);
    const { served } = under.inference;
    const idempotency = under.edge.app.get(Idempotency);
    const remember = idempotency.check.bind(idempotency);
    const remembering = jest.spyOn(idempotency, 'check').mockImplementation(async (...asked) => {
      const repeat = await remember(...asked);
      await under.publications.revokeKey(key.keyId);
      return repeat;
    });
    const headers = { 'x-api-key': key.value, ...json, 'idempotency-key': newId() };
    const answer = await raw(under.edge.url, at('/conversation'), { method: 'POST', headers, body: '{}' });
    expect([remembering.mock.calls.length, answer.status, under.inference.served]).toEqual([1, 403, served]);
    remembering.mockRestore();
  });
});
