import { afterAll, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { refuse } from '@parlance/decider';
import { ApiLimits } from '../../src/http/published/api-limits.ts';
import { PublishedAccess } from '../../src/http/published/published-access.ts';
import { FastPath } from '../../src/http/routing/fast-path.ts';
import { type PublishedUnderTest, publishedEdge } from './published-rig.ts';
import { bytes } from '../raw.ts';

const LAST = 'GET /health/live HTTP/1.1\r\nhost: edge\r\nconnection: close\r\n\r\n';

interface Asked {
  readonly method?: string;
  readonly below?: string;
  readonly key?: string;
  readonly host?: string;
  readonly path?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

describe.each([
  ['in one process', false],
  ['over HTTP', true],
])('the fast path of published bots, %s,', (_, overHttp) => {
  let under: PublishedUnderTest;
  let fastPath: FastPath;
  let apiId: string;
  let keys: Record<'usual' | 'disabled' | 'expired' | 'elsewhere' | 'revoked', string>;
  beforeAll(async () => {
    const settings = {
      PARLANCE_TRUSTED_PROXIES: '127.0.0.0/8,::1/128',
      PARLANCE_PUBLISHED_API_ALLOWED_IP_V4_ADDRESS_RANGES: '127.0.0.0/8,192.0.2.0/24',
      PARLANCE_PUBLISHED_DOMAIN: 'apis.example.org',
    };
    under = await publishedEdge({ overHttp, settings });
    fastPath = under.edge.app.get(FastPath);
    apiId = under.publications.publish({ allowed_origins: ['https://shop.example.org'] });
    const key = (more: object = {}) => under.publications.createKey(apiId, more).value;
    const revoked = under.publications.createKey(apiId);
    keys = {
      usual: key(),
      disabled: key({ enabled: false }),
      expired: key({ expires_at: 1 }),
      elsewhere: key({ allowed_ip_ranges: ['192.0.2.0/24'] }),
      revoked: revoked.value,
    };
    // Copies are known after the first request.
    for (const value of Object.values(keys)) await send({ key: value }, true);
    await under.publications.revokeKey(revoked.keyId);
  });
  afterAll(() => under.edge.stop());
  beforeEach(() => void Object.assign(under.limits, { refusal: null }));

  async function send(
    { method = 'GET', below = '/conversation/c1', path, key = keys.usual, host = 'edge', headers = {} }: Asked,
    isOn: boolean,
  ) {
    fastPath.isOn = isOn;
    under.inference.served = 0;
    const { ended, admitted } = under.limits;
    const before = { forwarded: fastPath.forwarded, ended: ended.length, admitted: admitted.length };
    const lines = Object.entries({ host, 'x-api-key': key, 'x-request-id': 'r', ...headers }).map(
      ([name, value]) => `${name}: ${value}\r\n`,
    );
    const answer = await bytes(
      under.edge.url,
      `${method} ${path ?? `/published/${apiId}/api${below}`} HTTP/1.1\r\n${lines.join('')}\r\n${LAST}`,
    );
    return {
      status: Number(answer.slice(9, 12)),
      answer: answer.replaceAll(/[0-7][0-9A-HJKMNP-TV-Z]{25}/g, 'ID').replaceAll(/^date: .*$/gim, ''),
      limits: [ended.slice(before.ended), admitted.length - before.admitted],
      wasFast: fastPath.forwarded > before.forwarded,
    };
  }

  it.each<[string, number, boolean, () => Asked]>([
    ['nothing unusual', 200, true, () => ({})],
    ['HEAD', 200, true, () => ({ method: 'HEAD' })],
    ['a query in camelCase', 200, true, () => ({ below: '/conversation/c1?pageSize=2' })],
    ['an origin that is allowed', 200, true, () => ({ headers: { origin: 'https://shop.example.org' } })],
    ['an origin that is not allowed', 200, true, () => ({ headers: { origin: 'https://evil.example.org' } })],
    ['a token in addition to the key', 200, true, () => ({ headers: { authorization: 'Bearer a.b.c', cookie: 'a=b' } })],
    ['a host of its own', 200, true, () => ({ host: `${apiId}.apis.example.org`, path: '/api/conversation/c1' })],
    ['an address that is allowed', 200, true, () => ({ key: keys.elsewhere, headers: { 'x-forwarded-for': '192.0.2.7' } })],
    ['a forged statement', 200, true, () => ({ headers: { 'x-parlance-caller': 'e30.e30' } })],
    ['no API at the address', 404, false, () => ({ path: '/published/x1/api/conversation/c1' })],
    ['another stage', 404, false, () => ({ path: `/published/${apiId}/other/conversation/c1` })],
    ['an address that is not allowed', 403, false, () => ({ headers: { 'x-forwarded-for': '198.51.100.1' } })],
    ['no key', 403, false, () => ({ key: '' })],
    ['a wrong key', 403, false, () => ({ key: 'prl_x' })],
    ['a disabled key', 403, false, () => ({ key: keys.disabled })],
    ['an expired key', 403, false, () => ({ key: keys.expired })],
    ['a key of another address', 403, false, () => ({ key: keys.elsewhere })],
    ['a revoked key', 403, false, () => ({ key: keys.revoked })],
    ['an unknown path', 404, false, () => ({ below: '/nowhere' })],
    ['another method', 405, false, () => ({ method: 'DELETE' })],
    ['the description', 200, false, () => ({ below: '/openapi.json' })],
    ['camelCase wanted', 200, false, () => ({ headers: { accept: 'application/json; case=camel' } })],
    ['an unusual path', 200, false, () => ({ below: '/conversation/%63' })],
    ['two hosts', 400, false, () => ({ headers: { Host: 'other' } })],
    ['a refusal of a service below /v1/', 404, false, () => ({ below: '/v1/models' })],
    ['a path of OpenAI', 405, false, () => ({ below: '/v1/chat/completions' })],
  ])('answers a request with %s as Fastify does: %i', async (__, status, isFast, asked) => {
    const slow = await send(asked(), false);
    const fast = await send(asked(), true);
    expect({ ...fast, wasFast: false }).toEqual(slow);
    expect([fast.status, fast.wasFast]).toEqual([status, isFast]);
  });
  it('leaves a refusal of the throttle to Fastify, which does not ask the limits again', async () => {
    under.limits.refusal = refuse('limited', 'throttled', 'Too many requests: wait.', { retry_after: 1 });
    const [slow, fast] = [await send({}, false), await send({}, true)];
    expect([fast.status, fast.limits, fast.wasFast, fast.answer]).toEqual([429, [[], 1], false, slow.answer]);
  });
  it('leaves a request that has to wait for the limits to Fastify, which does not ask them again', async () => {
    const limits = under.edge.app.get(ApiLimits);
    const { admit } = limits;
    limits.admit = async (key) => admit(key);
    const fast = await send({}, true);
    limits.admit = admit;
    expect([fast.status, fast.limits, fast.wasFast]).toEqual([200, [[[200, true]], 1], false]);
  });
  it('returns what the limits granted to a request that is refused meanwhile', async () => {
    const limits = under.edge.app.get(ApiLimits);
    const { admit } = limits;
    limits.admit = async (key) => admit(key);
    const refusal = refuse('forbidden', 'invalid_api_key', 'Send a valid API key.');
    const refused = jest.spyOn(under.edge.app.get(PublishedAccess), 'keyOf').mockRejectedValueOnce(refusal);
    const fast = await send({}, true);
    limits.admit = admit;
    refused.mockRestore();
    expect([fast.status, fast.limits, fast.wasFast]).toEqual([403, [[[403, false]], 1], false]);
  });
  it.each<[string, () => never | Promise<never>]>([
    [
      'at once',
      () => {
        throw refuse('unavailable', 'limits_busy', 'Try again.');
      },
    ],
    ['later', async () => Promise.reject(refuse('unavailable', 'limits_busy', 'Try again.'))],
  ])('leaves a failure of the limits to Fastify: %s', async (__, fail) => {
    const limits = under.edge.app.get(ApiLimits);
    const { admit } = limits;
    limits.admit = fail;
    const [slow, fast] = [await send({}, false), await send({}, true)];
    limits.admit = admit;
    expect([fast.status, fast.wasFast, fast.answer]).toEqual([503, false, slow.answer]);
  });
});
