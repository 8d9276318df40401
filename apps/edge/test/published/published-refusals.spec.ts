import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { waitFor } from '@parlance/testing';
import { raw } from '../raw.ts';
import { type PublishedUnderTest, publishedEdge } from './published-rig.ts';

const json = { 'content-type': 'application/json' };

describe.each([
  ['in one process', false],
  ['over HTTP', true],
])('a published bot whose service is down, %s,', (_, overHttp) => {
  let under: PublishedUnderTest;
  beforeAll(async () => {
    under = await publishedEdge({ overHttp });
  });
  afterAll(() => under.edge.stop());

  it('reports when to try again, also as an OpenAI error', async () => {
    const apiId = under.publications.publish();
    const headers = { 'x-api-key': under.publications.createKey(apiId).value, ...json };
    if (overHttp) await under.inference.close();
    else under.edge.host.local.leave('inference');
    const read = await raw(under.edge.url, `/published/${apiId}/api/conversation/c1`, { headers });
    expect([read.status, read.code, Number(read.headers['retry-after']) > 0]).toEqual([503, 'service_unavailable', true]);
    const complete = await raw(under.edge.url, `/published/${apiId}/api/v1/chat/completions`, { method: 'POST', headers, body: '{}' });
    expect([complete.status, JSON.parse(complete.body).error.type, Number(complete.headers['retry-after']) > 0]).toEqual([
      503,
      'server_error',
      true,
    ]);
    // The use of the quota is returned.
    await waitFor(() => under.limits.ended.length === 2);
    expect(under.limits.ended).toEqual([
      [503, false],
      [503, false],
    ]);
  });
});

describe('an address that sends many requests without a valid key', () => {
  let under: PublishedUnderTest;
  beforeAll(async () => {
    const settings = { PARLANCE_TRUSTED_PROXIES: '127.0.0.0/8', PARLANCE_ANONYMOUS_REQUESTS_PER_MINUTE: '2' };
    under = await publishedEdge({ settings });
  });
  afterAll(() => under.edge.stop());

  it('is refused below /v1/ as well', async () => {
    const apiId = under.publications.publish();
    const ask = async (key: string) => {
      const headers = { authorization: `Bearer ${key}`, 'x-forwarded-for': '192.0.2.2' };
      return JSON.parse((await raw(under.edge.url, `/published/${apiId}/api/v1/models`, { headers })).body).error.code;
    };
    expect([await ask('prl_1'), await ask('prl_2'), await ask('prl_3')]).toEqual([
      'invalid_api_key',
      'invalid_api_key',
      'too_many_requests',
    ]);
  });

  it('causes no calls to the publication service, and does not affect keys that are known', async () => {
    const apiId = under.publications.publish();
    const keys = [1, 2].map(() => under.publications.createKey(apiId).value) as [string, string];
    const ask = async (key: string, api = apiId) => {
      const headers = { 'x-api-key': key, 'x-forwarded-for': '192.0.2.1' };
      const { status, code } = await raw(under.edge.url, `/published/${api}/api/conversation/c1`, { headers });
      return code ?? status;
    };
    expect(await ask(keys[0])).toBe(200);
    expect([await ask('prl_1'), await ask('prl_2'), await ask('prl_3')]).toEqual([
      'invalid_api_key',
      'invalid_api_key',
      'too_many_requests',
    ]);
    const before = under.publications.asked;
    expect([await ask(keys[1]), await ask('prl_4', under.publications.publish()), await ask(keys[0])]).toEqual([
      'too_many_requests',
      'too_many_requests',
      200,
    ]);
    expect(under.publications.asked).toBe(before);
  });
});
