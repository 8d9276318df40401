import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { type BothPaths, bothPaths, type Tokens, type Written } from './both-paths.ts';

type Header = readonly [name: string, value: string];

const RUNS = 400;
/** The fast path must forward at least this many requests. Usually it forwards a tenth. */
const FAST = RUNS / 40;
const TOKENS = ['good', 'good', 'good', 'otherUser', 'ended', 'disabled', 'mustChangePassword', 'expired', 'forged'] as const;

/** Names in any case. */
const named = (name: string, values: fc.Arbitrary<string>): fc.Arbitrary<Header> =>
  fc.tuple(fc.constantFrom(name, name.toLowerCase(), name.toUpperCase()), values);
const oneOf = (name: string, ...values: string[]): fc.Arbitrary<Header> => named(name, fc.constantFrom(...values));

const extra: fc.Arbitrary<Header> = fc.oneof(
  oneOf(
    'Accept',
    '*/*',
    'application/json',
    'application/json; case=camel',
    'application/json;CASE="camel"',
    'application/json; case=snake',
    'text/html; case=camel',
  ),
  oneOf('Origin', 'https://console.example.org', 'https://evil.example.org', 'null', ''),
  oneOf(
    'X-Forwarded-For',
    '192.0.2.9',
    '198.51.100.7',
    '::ffff:192.0.2.9',
    '192.0.2.9, 127.0.0.1',
    '0192.0.2.9',
    ' ,',
    '[2001:db8::1]:443',
  ),
  oneOf('Host', 'edge', 'x1.apis.example.org', 'APIS.example.org.', 'a.apis.example.org.:80'),
  oneOf('Authorization', 'Bearer a.b.c', 'Basic YTpi', 'bearer', ''),
  oneOf('X-Request-Id', 'mine', 'a b', 'x'.repeat(129), ''),
  oneOf('Traceparent', '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01', 'nonsense'),
  oneOf('Connection', 'keep-alive', 'X-Secret', 'close', 'traceparent, x-secret'),
  oneOf('X-Parlance-Caller', 'e30.e30'),
  oneOf('X-Parlance-Session', 'cookie'),
  oneOf('Idempotency-Key', 'k', ' ', 'é'),
  oneOf('If-None-Match', '"1"', '*'),
  oneOf('Expect', '100-continue', 'a-miracle'),
  oneOf('Access-Control-Request-Method', 'GET'),
  oneOf('Content-Type', 'application/json', 'application/json; charset=latin1', 'text/plain'),
  oneOf('Content-Encoding', 'identity', 'gzip'),
  oneOf('Content-Length', '0'),
  oneOf('Cookie', 'a=b'),
  oneOf('X-Api-Key', 'prl_x'),
  named('X-Secret', fc.string({ unit: fc.constantFrom('a', ' ', ';', '"', ',', '\t'), maxLength: 8 })),
);

const segment = fc.constantFrom(
  'bot',
  'b1',
  'Bot',
  'open',
  'files',
  'docs',
  'auth',
  'sign-out',
  'user',
  'me',
  'published',
  'x1',
  'prod',
  'ping',
  'health',
  '%62ot',
  '%2f',
  '%zz',
  '..',
  ';',
  '',
);
const path = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom('/bot', '/bot/b1') },
  fc.constantFrom('/bot', '/bot/b1', '/user/me', '/published/x1/prod/ping', '/auth/sign-out'),
  fc.array(segment, { minLength: 1, maxLength: 4 }).map((all) => `/${all.join('/')}`),
);
const rest = fc.constantFrom('', '', '?', '?pageSize=1', '?page_size=1&pageSize=2', '?a=%zz', '#x', '?a#b', ';a=1', '?/published/');
const target = fc.tuple(fc.constantFrom('', '', '', '', '', '', 'http://edge', '//'), path, rest).map((parts) => parts.join(''));

const request = fc.record({
  method: fc.constantFrom('GET', 'GET', 'GET', 'HEAD', 'POST', 'DELETE', 'PUT', 'PATCH', 'OPTIONS'),
  target,
  version: fc.constantFrom('1.1', '1.1', '1.1', '1.0'),
  scheme: fc.oneof({ weight: 4, arbitrary: fc.constant('Bearer') }, fc.constantFrom('bearer', 'Bearer ', 'Basic')),
  token: fc.option(fc.constantFrom(...TOKENS), { freq: 8 }),
  host: fc.option(fc.constant('edge'), { freq: 12 }),
  extra: fc.oneof(fc.constant([]), fc.array(extra, { maxLength: 1 }), fc.array(extra, { maxLength: 4 })),
  at: fc.nat(4),
});

type Generated = typeof request extends fc.Arbitrary<infer Value> ? Value : never;

function writtenOf({ host, token, scheme, extra: more, at, ...its }: Generated, tokens: Tokens): Written {
  const headers: Header[] = [...more];
  if (token !== null) headers.splice(at, 0, ['Authorization', tokens[token].replace('Bearer', scheme)]);
  if (host !== null) headers.splice(at, 0, ['Host', host]);
  return { ...its, headers, body: '' };
}

describe.each([
  ['in one process', false],
  ['over HTTP', true],
])('any request, %s', (_, overHttp) => {
  let paths: BothPaths;
  beforeAll(async () => {
    paths = await bothPaths(overHttp);
  });
  afterAll(() => paths.edge.stop());

  it('has the same answer and the same effects on both paths', async () => {
    let fastOnes = 0;
    await fc.assert(
      fc.asyncProperty(request, async (asked) => {
        const { slow, fast } = await paths.compare(writtenOf(asked, paths.tokens));
        expect({ ...fast, wasFast: false }).toEqual(slow);
        if (fast.wasFast) fastOnes += 1;
      }),
      { numRuns: RUNS },
    );
    expect(fastOnes).toBeGreaterThan(FAST);
  });
});
