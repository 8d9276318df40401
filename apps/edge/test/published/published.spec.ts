import { afterAll, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { refuse } from '@parlance/decider';
import { newId } from '@parlance/event-store';
import { mintApiKey } from '@parlance/http';
import { ServiceDocuments } from '../../src/adapters/service-documents.ts';
import { raw, type RawAnswer } from '../raw.ts';
import { type PublishedUnderTest, publishedEdge } from './published-rig.ts';

const json = { 'content-type': 'application/json' };

describe.each([
  ['in one process', false],
  ['over HTTP', true],
])('a published bot, %s,', (_, overHttp) => {
  let under: PublishedUnderTest;
  let apiId: string;
  let keyId: string;
  let value: string;
  beforeAll(async () => {
    const settings = {
      PARLANCE_TRUSTED_PROXIES: '127.0.0.0/8,::1/128',
      PARLANCE_PUBLISHED_API_ALLOWED_IP_V4_ADDRESS_RANGES: '127.0.0.0/8,192.0.2.0/24',
      PARLANCE_PUBLISHED_DOMAIN: 'apis.example.org',
      PARLANCE_PUBLIC_BASE_URL: 'https://chat.example.org',
    };
    under = await publishedEdge({ overHttp, settings });
    apiId = under.publications.publish();
    ({ keyId, value } = under.publications.createKey(apiId));
  });
  afterAll(() => under.edge.stop());
  beforeEach(() => void Object.assign(under.limits, { refusal: null, quotaRefusal: null }));

  const ask = (below: string, headers: Record<string, string | string[]> = { 'x-api-key': value }, method = 'GET', body = '') =>
    raw(under.edge.url, `/published/${apiId}/api${below}`, { method, headers, body });
  const post = (below: string, body: object, more: Record<string, string> = {}) =>
    ask(below, { 'x-api-key': value, ...json, ...more }, 'POST', JSON.stringify(body));
  const read = ({ body }: RawAnswer) => JSON.parse(body);

  it('is served on behalf of its owner, and the service sees no key', async () => {
    const answer = await ask('/conversation/c1?page_size=2');
    expect(answer.status).toBe(200);
    expect(read(answer)).toMatchObject({
      made_by: { sub: `owner-${apiId}`, kind: 'api', groups: [], api: { apiId, botId: `bot-${apiId}`, keyId } },
      url: `/published/${apiId}/api/conversation/c1?page_size=2`,
      passed: [null, null],
    });
  });
  it('has the same paths below its own host name', async () => {
    const host = `${apiId.toUpperCase()}.apis.example.org:443`;
    const answer = await raw(under.edge.url, '/api/conversation/c1', { headers: { host, 'x-api-key': value } });
    expect([answer.status, read(answer).url]).toEqual([200, `/published/${apiId}/api/conversation/c1`]);
    expect((await raw(under.edge.url, `/published/${apiId}/api/conversation/c1`, { headers: { host, 'x-api-key': value } })).code).toBe(
      'not_published',
    );
    expect((await raw(under.edge.url, '/published/x/api/conversation/%0A/c1', { headers: { 'x-api-key': value } })).code).toBe(
      'not_published',
    );
    const other = { host: `a.${host}`, 'x-api-key': value };
    expect((await raw(under.edge.url, `/published/${apiId}/api/conversation/c1`, { headers: other })).code).toBe('no_such_route');
  });
  it('accepts a key as a bearer token below /v1/ and at /mcp only', async () => {
    const bearer = { authorization: `Bearer ${value}`, ...json };
    expect((await ask('/v1/chat/completions', bearer, 'POST', '{}')).status).toBe(200);
    const ping = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' });
    expect((await ask('/mcp', bearer, 'POST', ping)).status).toBe(200);
    expect((await ask('/conversation/c1', bearer)).code).toBe('invalid_api_key');
    expect((await ask('/conversation/c1', await under.edge.as('ann', 'Admin'))).code).toBe('invalid_api_key');
    expect((await ask('/v1/chat/completions', { ...json, authorization: [`Bearer ${value}`, 'Bearer x'] }, 'POST', '{}')).status).toBe(401);
  });
  it.each(['x', 'X'.repeat(26), '9'.repeat(26), `${'0'.repeat(26)}a`, '%2e%2e', 'a%2fkeys%2fb'])(
    'causes no call to the publication service at the address %s',
    async (address) => {
      const before = under.publications.asked;
      const answer = await raw(under.edge.url, `/published/${address}/api/conversation/c1`, { headers: { 'x-api-key': value } });
      expect([answer.status, under.publications.asked]).toEqual([404, before]);
    },
  );
  it('has no valid key for other paths', async () => {
    expect((await raw(under.edge.url, '/published', { headers: { 'x-api-key': value } })).status).toBe(404);
  });

  const other = mintApiKey(newId());
  it.each<[string, () => Record<string, string | string[]>]>([
    ['no key', () => ({})],
    ['an empty one', () => ({ 'x-api-key': '' })],
    ['a wrong checksum', () => ({ 'x-api-key': `${value.slice(0, -1)}${value.endsWith('0') ? '1' : '0'}` })],
    ['an unknown key', () => ({ 'x-api-key': other.value })],
    ['the right ID with another secret', () => ({ 'x-api-key': mintApiKey(keyId).value })],
    ['two keys', () => ({ 'x-api-key': [value, value] })],
    ['the key of another API', () => ({ 'x-api-key': under.publications.createKey(under.publications.publish()).value })],
    ['a disabled one', () => ({ 'x-api-key': under.publications.createKey(apiId, { enabled: false }).value })],
    ['an expired one', () => ({ 'x-api-key': under.publications.createKey(apiId, { expires_at: Math.floor(Date.now() / 1000) }).value })],
    [
      'a key for other addresses',
      () => ({ 'x-api-key': under.publications.createKey(apiId, { allowed_ip_ranges: ['192.0.2.0/24'] }).value }),
    ],
  ])('refuses %s with the same text', async (__, headers) => {
    const answer = await ask('/conversation/c1', headers());
    const { request_id: _id, ...body } = read(answer);
    const { request_id: __id, ...usual } = read(await ask('/conversation/c1', { 'x-api-key': 'prl_x' }));
    expect([answer.status, body]).toEqual([403, usual]);
    expect(answer.headers['x-ratelimit-limit']).toBeUndefined();
  });
  it('accepts a key from an address that its own allowlist contains', async () => {
    const ours = under.publications.createKey(apiId, { allowed_ip_ranges: ['192.0.2.7/32'] });
    expect((await ask('/conversation/c1', { 'x-api-key': ours.value, 'x-forwarded-for': '::ffff:192.0.2.7' })).status).toBe(200);
  });

  it('checks in this order: address, caller, key, throttle, quota, body', async () => {
    const outside = { 'x-forwarded-for': '198.51.100.1' };
    const [wrong, right] = [{ 'x-api-key': 'prl_x' }, { 'x-api-key': value }];
    const at = (stage: string, headers: Record<string, string>, body = '{') =>
      raw(under.edge.url, `/published/${apiId}/${stage}/conversation`, { method: 'POST', headers: { ...json, ...headers }, body });
    under.limits.refusal = refuse('limited', 'throttled', 'Too many requests: wait.', { retry_after: 1 });
    under.limits.quotaRefusal = refuse('limited', 'quota_exceeded', 'The quota is used up.', { retry_after: 9 });
    const served = under.inference.served;
    expect((await at('other', { ...outside, ...wrong })).code).toBe('not_published');
    expect((await at('api', { ...outside, ...wrong })).code).toBe('address_not_allowed');
    expect((await at('api', wrong)).code).toBe('invalid_api_key');
    const throttled = await at('api', right);
    expect([throttled.status, throttled.code, throttled.headers['retry-after'], throttled.headers['x-ratelimit-limit']]).toEqual([
      429,
      'throttled',
      '1',
      '3',
    ]);
    under.limits.refusal = null;
    const exceeded = await at('api', right, 'x'.repeat(2_000_000));
    expect([exceeded.status, exceeded.code, exceeded.headers['x-ratelimit-reset']]).toEqual([429, 'quota_exceeded', '1800000000']);
    under.limits.quotaRefusal = null;
    const large = await at('api', right, 'x'.repeat(2_000_000));
    expect([large.status, large.headers['x-ratelimit-remaining']]).toEqual([413, expect.any(String)]);
    expect(under.inference.served).toBe(served);
  });

  it('answers 404 at unknown paths, and lists the methods of a path', async () => {
    const unknown = await ask('/nowhere');
    expect([unknown.status, unknown.code, unknown.headers['x-ratelimit-limit']]).toEqual([404, 'no_such_route', '3']);
    const wrong = await ask('/conversation/c1', { 'x-api-key': value }, 'DELETE');
    expect([wrong.status, wrong.code, wrong.headers.allow]).toEqual([405, 'method_not_allowed', 'GET, HEAD, OPTIONS']);
  });

  it('answers 503 at unknown paths while one service has not started', async () => {
    const missing = jest.spyOn(under.edge.app.get(ServiceDocuments), 'missing').mockReturnValue(['analytics']);
    const unknown = await ask('/nowhere');
    missing.mockRestore();
    expect([unknown.status, unknown.code, unknown.headers['retry-after']]).toEqual([503, 'service_unavailable', '1']);
  });

  it('accepts names in both cases, except where another standard defines them', async () => {
    const camel = await post('/conversation', { botTitle: 'x' }, { accept: 'application/json; case=camel' });
    expect([read(camel).body, 'madeBy' in read(camel)]).toEqual([{ bot_title: 'x' }, true]);
    const openAi = await post('/v1/chat/completions', { botTitle: 'x' }, { accept: 'application/json; case=camel' });
    expect([read(openAi).body, 'made_by' in read(openAi)]).toEqual([{ botTitle: 'x' }, true]);
  });
  it('refuses below /v1/ in the form of OpenAI, including for services', async () => {
    const refused = await ask('/v1/chat/completions', { 'x-api-key': 'prl_x', ...json }, 'POST', '{}');
    expect([refused.status, refused.headers['content-type'], read(refused)]).toEqual([
      401,
      'application/json; charset=utf-8',
      {
        error: {
          message: expect.stringContaining('API key'),
          type: 'authentication_error',
          param: null,
          code: 'invalid_api_key',
          request_id: expect.any(String),
        },
      },
    ]);
    expect(read(await post('/v1/chat/completions', { bot_title: 'refused' })).error).toMatchObject({
      param: 'model',
      code: 'invalid_body',
    });
    expect(read(await ask('/v1/nowhere')).error.code).toBe('no_such_route');
  });

  it('reports to the limits how each request ended', async () => {
    const { ended } = under.limits;
    const last = async (answered: Promise<RawAnswer>) => {
      const before = ended.length;
      await answered;
      await new Promise(setImmediate);
      return ended.slice(before);
    };
    expect(await last(post('/conversation', {}))).toEqual([[202, true]]);
    expect(await last(post('/conversation', { bot_title: 'refused' }))).toEqual([[400, true]]);
    expect(await last(ask('/nowhere'))).toEqual([[404, false]]);
    expect(under.limits.admitted.at(-1)).toEqual({
      keyId,
      apiId,
      botId: `bot-${apiId}`,
      quota: null,
      throttle: { rate_limit: 50, burst_limit: 100 },
    });
  });
  it('has the remaining requests after the answer in its headers, including what a refusal returns', async () => {
    Object.assign(under.limits, { taken: 0 });
    const left = async (answered: Promise<RawAnswer>) => {
      const { status, headers } = await answered;
      Object.assign(under.limits, { taken: 0 });
      return [status, headers['x-ratelimit-remaining']];
    };
    expect(await left(post('/conversation', {}))).toEqual([202, '2']);
    expect(await left(post('/conversation', { bot_title: 'refused' }))).toEqual([400, '3']);
    expect(await left(post('/v1/chat/completions', { bot_title: 'refused' }))).toEqual([400, '3']);
    expect(await left(ask('/conversation', { 'x-api-key': value, ...json }, 'POST', 'x'.repeat(2_000_000)))).toEqual([413, '3']);
    expect(await left(ask('/conversation/c1'))).toEqual([200, '3']);
  });
  it('uses the quota for requests that start work: POSTs, and tool calls of MCP', async () => {
    const taken = async (asked: Promise<RawAnswer>) => {
      const before = under.limits.taken;
      expect((await asked).status).toBeLessThan(300);
      return under.limits.taken - before;
    };
    const call = { jsonrpc: '2.0', id: 1, method: 'tools/call' };
    expect(await taken(ask('/conversation/c1'))).toBe(0);
    expect(await taken(post('/conversation', {}))).toBe(1);
    expect(await taken(post('/mcp', { ...call, method: 'tools/list' }))).toBe(0);
    expect(await taken(post('/mcp', call))).toBe(1);
    expect(await taken(post('/mcp', [call, { ...call, method: 'ping' }, { ...call, text: 'x'.repeat(100_000) }]))).toBe(2);
    expect(await taken(ask('/mcp', { 'x-api-key': value, ...json }, 'POST', '{"method":"tools\\/call"}'))).toBe(1);
  });
});
