import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Publications } from './published/published-rig.ts';
import { bytes, raw } from './raw.ts';
import { type EdgeUnderTest, edgeWith, stub } from './rig.ts';

const open = (operationId: string) => ({ operationId, security: [], responses: { 200: { description: 'OK' } } });
const signedIn = (operationId: string) => ({ ...open(operationId), security: [{ bearer: [] }] });

const API_ID = '01jd2v9g6k3mwrx8s5p4q7t0za';
/** The description of a published bot, which needs no key. */
const PUBLISHED = `/published/${API_ID}/prod/openapi.json`;

function services() {
  const publications = new Publications();
  publications.publish({ stage: 'prod', allowed_origins: ['https://shop.example.org'] }, API_ID);
  const bots = stub('bots', { '/bot': { get: signedIn('bots') }, '/open': { get: open('open') } });
  bots.get('/bot', () => ({}));
  bots.get('/open', (_, reply) => reply.headers({ 'cache-control': 'max-age=60', etag: '"1"' }).send({}));
  const identity = stub('identity', { '/auth/sign-in': { post: open('sign_in') } });
  identity.post('/auth/sign-in', () => ({}));
  return { publication: publications.service, bots, identity };
}

const behindProxy = { PARLANCE_TRUSTED_PROXIES: '127.0.0.0/8,::1/128' };
const from = (address: string) => ({ 'x-forwarded-for': address });
const status = async (answer: Promise<{ status: number }>) => (await answer).status;

describe('the allowlists', () => {
  let edge: EdgeUnderTest;
  beforeAll(async () => {
    const settings = {
      ...behindProxy,
      PARLANCE_ALLOWED_IP_V4_ADDRESS_RANGES: '192.0.2.0/24',
      PARLANCE_PUBLISHED_API_ALLOWED_IP_V6_ADDRESS_RANGES: '2001:db8::/32,::ffff:198.51.100.0/120',
      PARLANCE_PUBLISHED_DOMAIN: 'apis.example.org',
    };
    edge = await edgeWith(services(), { settings });
  });
  afterAll(() => edge.stop());

  const ours = '192.0.2.9';
  const theirs = '198.51.100.7';
  const theirHost = { host: 'X1.apis.example.org:8080' };

  it.each([
    [ours, '/open', 200],
    ['::ffff:192.0.2.9', '/open', 200],
    ['::ffff:c000:209', '/open', 200],
    ['0:0:0:0:0:ffff:192.0.2.9', '/asyncapi.json', 200],
    [theirs, '/open', 403],
    ['2001:db8::1', '/open', 403],
    ['2001:db8::1', '/docs', 403],
    ['2001:db8::1', '/nowhere', 403],
    ['192.0.2.9:4711', '/open', 200],
    ['198.51.100.7:4711', '/open', 403],
    ['[::ffff:198.51.100.7]:443', PUBLISHED, 200],
    ['unknown', '/open', 403],
    ['192.0.2.9,', '/open', 403],
    ['0192.0.2.9', '/open', 403],
    ['fe80::1%eth0', '/open', 403],
    [theirs, PUBLISHED, 200],
    ['::ffff:c633:6407', PUBLISHED, 200],
    ['2001:db8::1', PUBLISHED, 200],
    [ours, PUBLISHED, 403],
    [ours, '/health/live', 200],
    ['203.0.113.9', '/health/ready', 200],
  ])('%s asking for %s: %i', async (address, path, expected) => {
    const answer = await raw(edge.url, path, { headers: from(address) });
    expect([answer.status, answer.code]).toEqual([expected, expected === 403 ? 'address_not_allowed' : undefined]);
  });

  // The path as the router reads it decides, however it is written.
  it.each([
    PUBLISHED.replace('p', '%70'),
    PUBLISHED.replace('/published/', '/published%2f'),
    `http://a.example${PUBLISHED}`,
    `HTTP://a${PUBLISHED.replace('p', '%70')}`,
  ])('do not let a request bypass the list of published APIs through %s', async (path) =>
    expect([403, 404]).toContain(await status(raw(edge.url, path, { headers: from(ours) }))),
  );
  it.each(['/published/../open', '/published/..%2fopen', '/published/%2e%2e/open', '/health/../open', `${PUBLISHED}/../../../../open`])(
    'do not let a request bypass the other list through %s',
    async (path) => expect([403, 404]).toContain(await status(raw(edge.url, path, { headers: from(theirs) }))),
  );
  it.each(['/open', '/asyncapi.json', '/docs', 'http://a.example/open'])(
    'do not let a request bypass the other list through a host name below the published domain: %s',
    async (path) => {
      expect(await status(raw(edge.url, path, { headers: { ...from(theirs), ...theirHost } }))).toBe(404);
      expect(await status(raw(edge.url, path, { headers: { ...from(ours), ...theirHost } }))).toBe(404);
    },
  );
  it.each(['apis.example.org', 'x1apis.example.org', 'x1.apis.example.org.evil.example', 'apis.example.org.'])(
    'do not treat the host %s as one below the domain',
    async (host) => expect(await status(raw(edge.url, '/open', { headers: { ...from(ours), host } }))).toBe(200),
  );
});

describe('the limit of requests to /auth/', () => {
  let edge: EdgeUnderTest;
  beforeAll(async () => {
    edge = await edgeWith(services(), { settings: { ...behindProxy, PARLANCE_AUTH_REQUESTS_PER_MINUTE: '2' } });
  });
  afterAll(() => edge.stop());
  const signIn = (address: string, path = '/auth/sign-in') => raw(edge.url, path, { method: 'POST', headers: from(address) });

  it('is for each address', async () => {
    expect(await Promise.all([signIn('192.0.2.1'), signIn('192.0.2.1')].map(status))).toEqual([200, 200]);
    const third = await signIn('::ffff:192.0.2.1');
    expect([third.status, third.code, third.headers['retry-after']]).toEqual([429, 'too_many_requests', '30']);
    expect(await status(signIn('192.0.2.2'))).toBe(200);
  });
  it('is shared by a complete /64', async () => {
    const statuses = [];
    for (const end of ['1', '2', 'ffff:0:0:3']) statuses.push((await signIn(`2001:db8:0:7:${end.includes(':') ? '' : ':'}${end}`)).status);
    expect(statuses).toEqual([200, 200, 429]);
    expect(await status(signIn('2001:db8:0:8::1'))).toBe(200);
  });
  it('counts every spelling of the path, and no other request', async () => {
    for (const path of ['/%61uth/sign-in', 'http://a.example/auth/nowhere']) await signIn('192.0.2.3', path);
    expect(await status(signIn('192.0.2.3'))).toBe(429);
    expect(await status(raw(edge.url, '/open', { headers: from('192.0.2.3') }))).toBe(200);
  });
});

describe('the limits of all requests', () => {
  let edge: EdgeUnderTest;
  beforeAll(async () => {
    const settings = { ...behindProxy, PARLANCE_REQUESTS_PER_MINUTE: '3', PARLANCE_ANONYMOUS_REQUESTS_PER_MINUTE: '2' };
    edge = await edgeWith(services(), { settings });
  });
  afterAll(() => edge.stop());

  const asked = async (times: number, path: string, headers: Record<string, string>, method = 'GET') => {
    const answers = [];
    for (let index = 0; index < times; index++) answers.push(await raw(edge.url, path, { method, headers }));
    return answers.map(({ status: code }) => code);
  };

  it('apply to each signed-in user, wherever the requests come from', async () => {
    const ann = await edge.as('ann');
    expect(await asked(2, '/bot', { ...ann, ...from('192.0.2.1') })).toEqual([200, 200]);
    expect(await asked(2, '/bot', { ...ann, ...from('192.0.2.2') })).toEqual([200, 429]);
    const refused = await raw(edge.url, '/bot', { headers: { ...ann, ...from('192.0.2.3') } });
    expect([refused.status, refused.code, refused.headers['retry-after']]).toEqual([429, 'too_many_requests', '20']);
    // Other users at the same address and its anonymous requests are counted separately.
    expect(await asked(1, '/bot', { ...(await edge.as('ben')), ...from('192.0.2.1') })).toEqual([200]);
    expect(await asked(1, '/open', from('192.0.2.1'))).toEqual([200]);
  });
  it.each([
    ['an open route', '/open', 200],
    ['an unknown path', '/nowhere', 404],
    ['a route without its token', '/bot', 401],
    ['a document', '/asyncapi.json', 200],
  ])('otherwise apply to each address: %s', async (_what, path, expected) => {
    const address = `198.51.100.${path.length}`;
    expect(await asked(3, path, from(address))).toEqual([expected, expected, 429]);
    const refused = await raw(edge.url, path, { headers: from(address) });
    expect([refused.code, refused.headers['retry-after']]).toEqual(['too_many_requests', '30']);
  });
  it('count a request with an invalid token towards its address', async () => {
    expect(await asked(3, '/bot', { ...from('203.0.113.1'), authorization: 'Bearer a.b.c' })).toEqual([401, 401, 429]);
    expect(await asked(1, '/bot', { ...from('203.0.113.1'), ...(await edge.as('cat')) })).toEqual([200]);
  });
  it('count a request that must first change its password towards its address', async () => {
    const mustChange = { ...from('203.0.113.3'), ...(await edge.bearing({ sub: 'dan', pcr: true })) };
    expect(await asked(3, '/bot', mustChange)).toEqual([403, 403, 429]);
  });
  it('are shared by a complete /64', async () => {
    expect(await asked(1, '/open', from('2001:db8:0:7::1'))).toEqual([200]);
    expect(await asked(2, '/open', from('2001:db8:0:7:ffff::2'))).toEqual([200, 429]);
    expect(await asked(1, '/open', from('2001:db8:0:8::1'))).toEqual([200]);
  });
  it('count requests without a valid API key towards their address', async () => {
    expect(await asked(3, PUBLISHED, from('203.0.113.4'))).toEqual([200, 200, 429]);
    expect(await asked(3, PUBLISHED.replace('openapi.json', 'x'), from('203.0.113.5'))).toEqual([403, 403, 429]);
    expect(await asked(3, PUBLISHED.replace('prod', 'other'), from('203.0.113.6'))).toEqual([404, 404, 429]);
  });
  it('do not count probes and sign-in requests', async () => {
    expect(await asked(5, '/health/live', from('203.0.113.2'))).toEqual(Array(5).fill(200));
    expect(await asked(5, '/auth/sign-in', from('203.0.113.2'), 'POST')).toEqual(Array(5).fill(200));
  });
});

describe.each([
  ['in one process', false],
  ['over HTTP', true],
])('the headers of every answer, %s', (_, overHttp) => {
  let edge: EdgeUnderTest;
  beforeAll(async () => {
    const settings = { PARLANCE_PUBLIC_BASE_URL: 'https://chat.example.org', PARLANCE_CONSOLE_ORIGINS: 'https://console.example.org' };
    edge = await edgeWith(services(), { settings, overHttp });
  });
  afterAll(() => edge.stop());

  const secure = {
    'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
    'strict-transport-security': 'max-age=31536000',
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
    'referrer-policy': 'no-referrer',
    vary: 'Origin',
  };
  const ours = { origin: 'https://console.example.org' };

  it.each(['/open', '/bot', '/asyncapi.json', '/asyncapi.json?x=1', '/nowhere', '/health/live', '/%zz', PUBLISHED])(
    'are on the refusal of %s',
    async (path) => expect((await raw(edge.url, path)).headers).toMatchObject({ ...secure, 'cross-origin-resource-policy': 'same-origin' }),
  );
  it.each([
    ['bytes that are not HTTP', 'hello', 400, 'malformed_request'],
    ['a request with two hosts', 'GET /open HTTP/1.1\r\nHost: a\r\nHost: b\r\nConnection: close', 400, 'malformed_request'],
    ['a request without a host', 'GET /open HTTP/1.1\r\nConnection: close', 400, 'malformed_request'],
    ['a request with an unknown expectation', 'GET /open HTTP/1.1\r\nHost: a\r\nExpect: 200-maybe', 417, 'expectation_failed'],
  ])('are on the refusal of %s', async (_who, request, expected, code) => {
    const answer = (await bytes(edge.url, `${request}\r\n\r\n`)).toLowerCase();
    expect(answer).toContain(`http/1.1 ${expected} `);
    expect(answer).toContain(`"code":"${code}"`);
    for (const [name, value] of Object.entries(secure)) expect(answer).toContain(`${name}: ${value.toLowerCase()}\r\n`);
    expect(answer).toContain('cache-control: no-store\r\n');
  });
  it('keep answers from being stored, unless the service decides otherwise', async () => {
    expect((await raw(edge.url, PUBLISHED)).headers['cache-control']).toBe('no-store');
    expect((await raw(edge.url, '/open')).headers['cache-control']).toBe('max-age=60');
  });

  it.each(['/open', '/bot', '/asyncapi.json?x=1', '/nowhere', '/%zz'])('let the console read %s', async (path) => {
    const { headers } = await raw(edge.url, path, { headers: ours });
    expect(headers).toMatchObject({ ...secure, 'access-control-allow-origin': ours.origin });
    for (const name of ['X-RateLimit-Reset', 'X-RateLimit-Remaining-Tokens', 'X-Should-Retry', 'X-Parlance-Cost'])
      expect(headers['access-control-expose-headers']).toContain(name);
    expect(headers).not.toHaveProperty('cross-origin-resource-policy');
    // Without this header, a page of another origin neither sends nor receives the cookie of a session.
    expect(headers).not.toHaveProperty('access-control-allow-credentials');
  });
  it.each([
    'null',
    'https://console.example.org.evil.example',
    'https://evilconsole.example.org',
    'https://sub.console.example.org',
    'http://console.example.org',
    'https://console.example.org:443',
    'https://console.example.org:8443',
    'https://Console.example.org',
    'https://console.example.org/',
    'https://console.example.org, https://evil.example',
    '*',
    '',
  ])('do not let scripts of %s read anything', async (origin) => {
    for (const method of ['GET', 'OPTIONS']) {
      const { headers } = await raw(edge.url, '/open', { method, headers: { origin, 'access-control-request-method': 'GET' } });
      expect(Object.keys(headers).filter((name) => name.startsWith('access-control-'))).toEqual([]);
      expect(headers.vary).toBe('Origin');
    }
  });
  it('do not let the console read published APIs, which have their own origins', async () => {
    const answer = await raw(edge.url, PUBLISHED, { headers: { origin: 'https://shop.example.org' } });
    expect([answer.status, answer.headers['access-control-allow-origin']]).toEqual([200, 'https://shop.example.org']);
    const theirs = await raw(edge.url, PUBLISHED, { headers: { origin: ours.origin } });
    expect(theirs.headers).not.toHaveProperty('access-control-allow-origin');
  });
  it('let a script of the console send the headers of SDKs', async () => {
    const asked = 'authorization,x-stainless-os,anthropic-version,openai-beta,if-match,x-parlance-cache,x-evil,openai-beta!';
    const headers = { ...ours, 'access-control-request-method': 'POST', 'access-control-request-headers': asked };
    const answer = await raw(edge.url, '/open', { method: 'OPTIONS', headers });
    expect(answer.headers['access-control-allow-headers']).toBe(asked.replace(',x-evil,openai-beta!', '').replaceAll(',', ', '));
  });
  it.each(['/open', '/bot', '/nowhere', '/auth/sign-in'])('answer the preflight of a script of the console for %s', async (path) => {
    const answer = await raw(edge.url, path, { method: 'OPTIONS', headers: { ...ours, 'access-control-request-method': 'POST' } });
    expect([answer.status, answer.body]).toEqual([204, '']);
    expect(answer.headers).toMatchObject({
      'access-control-allow-origin': ours.origin,
      'access-control-allow-methods': expect.stringContaining('DELETE'),
      'access-control-allow-headers': expect.stringContaining('Idempotency-Key'),
      'access-control-max-age': '600',
    });
  });
});
