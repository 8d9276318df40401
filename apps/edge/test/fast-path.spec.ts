import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type BothPaths, bothPaths, type Tokens, type Written } from './both-paths.ts';

type Header = readonly [name: string, value: string];
/** Changes the usual request, which is `GET /bot` with a token. */
type Change = (
  tokens: Tokens,
) => Partial<Omit<Written, 'headers'>> & { readonly more?: readonly Header[]; readonly token?: string | null; readonly host?: string };

const TRACE = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01';
const json = (body: string): readonly Header[] => [
  ['Content-Type', 'application/json'],
  ['Content-Length', String(body.length)],
];

/** Requests for each rule of the edge: their status, and whether the fast path forwards them. */
const TABLE: readonly (readonly [name: string, status: number, isUsual: boolean, change: Change])[] = [
  ['nothing unusual', 200, true, () => ({})],
  ['the token of another user', 200, true, ({ otherUser }) => ({ token: otherUser })],
  ['a parameter in its path', 200, true, () => ({ target: '/bot/b1' })],
  ['another method', 204, true, () => ({ method: 'DELETE', target: '/bot/b1' })],
  ['HEAD', 200, true, () => ({ method: 'HEAD' })],
  ['a POST without a body', 200, true, () => ({ method: 'POST' })],
  ['a query in camelCase', 200, true, () => ({ target: '/bot?pageSize=2&other=%20' })],
  ['the origin of the console', 200, true, () => ({ more: [['Origin', 'https://console.example.org']] })],
  ['a foreign origin', 200, true, () => ({ more: [['Origin', 'https://evil.example.org']] })],
  ['an allowed address', 200, true, () => ({ more: [['X-Forwarded-For', '192.0.2.9']] })],
  ['an ID of its own', 200, true, () => ({ more: [['X-Request-Id', 'mine.1']] })],
  ['an ill-formed ID', 200, true, () => ({ more: [['X-Request-Id', 'not one']] })],
  ['a trace', 200, true, () => ({ more: [['Traceparent', TRACE]] })],
  ['a user agent', 200, true, () => ({ more: [['User-Agent', 'curl/8']] })],
  ['an ETag', 200, true, () => ({ more: [['If-None-Match', '"1"']] })],
  [
    'other credentials in addition to the token',
    200,
    true,
    () => ({
      more: [
        ['Cookie', 'a=b'],
        ['X-Api-Key', 'prl_x'],
      ],
    }),
  ],
  [
    'a forged statement',
    200,
    true,
    () => ({
      more: [
        ['X-Parlance-Caller', 'e30.e30'],
        ['X-Parlance-Session', 'cookie'],
      ],
    }),
  ],
  [
    'headers for one hop',
    200,
    true,
    () => ({
      more: [
        ['Connection', 'close, X-Secret'],
        ['X-Secret', '1'],
      ],
    }),
  ],
  ['HTTP/1.0 and no host', 200, true, () => ({ version: '1.0', host: '' })],
  ['a token in another case of Bearer', 200, false, ({ good }) => ({ token: good.replace('Bearer', 'bEARER') })],
  ['a body', 200, false, () => ({ method: 'POST', body: '{"a":1}', more: json('{"a":1}') })],
  ['a body of a GET', 200, false, () => ({ body: '{}', more: json('{}') })],
  [
    'a body in chunks',
    200,
    false,
    () => ({
      method: 'POST',
      body: '2\r\n{}\r\n0\r\n\r\n',
      more: [
        ['Content-Type', 'application/json'],
        ['Transfer-Encoding', 'chunked'],
      ],
    }),
  ],
  ['an Idempotency-Key', 200, false, () => ({ method: 'POST', more: [['Idempotency-Key', 'k']] })],
  ['camelCase in Accept', 200, false, () => ({ more: [['Accept', 'application/json; case=camel']] })],
  ['an escape in its path', 200, false, () => ({ target: '/%62ot' })],
  ['an absolute target', 200, false, () => ({ target: 'http://edge/bot' })],
  ['an open route', 200, false, () => ({ target: '/open', token: null })],
  ['a token on an open route', 200, false, () => ({ target: '/open' })],
  ['an expectation', 100, false, () => ({ method: 'POST', body: '{}', more: [...json('{}'), ['Expect', '100-continue']] })],
  ['no token', 401, false, () => ({ token: null })],
  ['an invalid token', 401, false, () => ({ token: 'Bearer a.b.c' })],
  ['two tokens', 401, false, ({ good }) => ({ more: [['authorization', good]] })],
  ['an expired token', 401, false, ({ expired }) => ({ token: expired })],
  ['a forged token', 401, false, ({ forged }) => ({ token: forged })],
  ['the token of an ended session', 401, false, ({ ended }) => ({ token: ended })],
  ['the token of a disabled user', 401, false, ({ disabled }) => ({ token: disabled })],
  ['a password that has to be changed', 403, false, ({ mustChangePassword }) => ({ token: mustChangePassword })],
  [
    'a password that has to be changed, on a route that stays allowed',
    200,
    false,
    ({ mustChangePassword }) => ({ token: mustChangePassword, target: '/user/me' }),
  ],
  ['an address that is not allowed', 403, false, () => ({ more: [['X-Forwarded-For', '198.51.100.7']] })],
  ['an address that cannot be read', 403, false, () => ({ more: [['X-Forwarded-For', '0192.0.2.9']] })],
  ['two hosts', 400, false, () => ({ more: [['Host', 'other']] })],
  ['no host', 400, false, () => ({ host: '' })],
  ['an unknown expectation', 417, false, () => ({ more: [['Expect', 'a-miracle']] })],
  [
    'a preflight',
    204,
    false,
    () => ({
      method: 'OPTIONS',
      more: [
        ['Origin', 'https://console.example.org'],
        ['Access-Control-Request-Method', 'GET'],
      ],
    }),
  ],
  ['a method that the path does not have', 405, false, () => ({ method: 'PUT' })],
  ['an unknown path', 404, false, () => ({ target: '/nowhere' })],
  ['a path of the edge', 200, false, () => ({ target: '/asyncapi.json' })],
  ['a path for signing in', 200, false, () => ({ method: 'POST', target: '/auth/sign-out' })],
  ['an unknown published API', 404, false, () => ({ target: '/published/x1/prod/ping' })],
  ['a host of published APIs', 404, false, () => ({ host: 'x1.apis.example.org' })],
];

/** With services in other processes, the edge has no files. */
const IN_ONE_PROCESS: typeof TABLE = [['a service route below a path of the edge', 403, false, () => ({ target: '/files/f1' })]];

describe.each([
  ['in one process', false, [...TABLE, ...IN_ONE_PROCESS]],
  ['over HTTP', true, TABLE],
])('the fast path, %s', (_, overHttp, table) => {
  let paths: BothPaths;
  beforeAll(async () => {
    paths = await bothPaths(overHttp);
  });
  afterAll(() => paths.edge.stop());

  const written = (change: Change): Written => {
    const { more = [], token = paths.tokens.good, host = 'edge', ...changed } = change(paths.tokens);
    const headers: Header[] = [
      ...(host === '' ? [] : [['Host', host] as const]),
      ...(token === null ? [] : [['Authorization', token] as const]),
      ...more,
    ];
    return { method: 'GET', target: '/bot', version: '1.1', body: '', ...changed, headers };
  };

  it.each(table)('answers a request with %s as Fastify does: %i', async (__, status, isUsual, change) => {
    const { slow, fast } = await paths.compare(written(change));
    expect({ ...fast, wasFast: false }).toEqual(slow);
    expect([fast.status, fast.wasFast]).toEqual([status, isUsual]);
  });
});

describe('the limit of requests', () => {
  it('is the same on both paths, and counts each request once', async () => {
    const paths = await bothPaths(false, { PARLANCE_REQUESTS_PER_MINUTE: '60' });
    try {
      const token = (await paths.edge.as('tim'))['authorization'] as string;
      const request: Written = {
        method: 'GET',
        target: '/bot',
        version: '1.1',
        headers: [
          ['Host', 'edge'],
          ['Authorization', token],
        ],
        body: '',
      };
      const statuses: number[] = [];
      for (let pair = 0; pair < 40; pair++) {
        const { slow, fast } = await paths.compare(request);
        statuses.push(slow.status, fast.status);
      }
      // One more request is allowed each second.
      const admitted = statuses.filter((status) => status === 200).length;
      expect(statuses.slice(0, 60)).toEqual(Array(60).fill(200));
      expect(statuses.filter((status) => status === 429)).toHaveLength(80 - admitted);
      expect(admitted).toBeLessThan(80);
    } finally {
      await paths.edge.stop();
    }
  });
});
