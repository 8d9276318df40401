import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Instant } from '@parlance/decider';
import { EDGE_HEALTH_PATH } from '@parlance/foundation';
import { STATEMENT_HEADER } from '@parlance/http';
import { type ServiceUnderTest, serviceUnderTest } from '@parlance/foundation/harness';
import request from 'supertest';
import { edge } from '../src/service.ts';

describe('the edge, before any other service is up', () => {
  let service: ServiceUnderTest;
  beforeAll(async () => {
    service = await serviceUnderTest(edge);
  });
  afterAll(() => service.stop());

  it('does not report an unknown path as missing before every service has supplied its routes', async () => {
    const answer = await request(service.server).get('/bot');
    expect([answer.status, answer.body.code]).toEqual([503, 'service_unavailable']);
    expect(answer.headers['retry-after']).toBe('1');
  });
  it('answers its own routes', async () => expect((await request(service.server).get('/asyncapi.json')).status).toBe(200));
  it('reports its state to other services only', async () => {
    const facts = { sub: 'analytics', groups: [], sid: null, kind: 'service', ip: null, ua: null, rid: 'r', cid: 'c' } as const;
    const sign = (more: object) => service.host.statements.sign({ ...facts, ...more }, Instant.ofMillis(Date.now()));
    const ask = (statement?: string) =>
      request(service.server)
        .get(EDGE_HEALTH_PATH)
        .set(statement === undefined ? {} : { [STATEMENT_HEADER]: statement });
    const { status, body } = await ask(sign({ call: true }));
    expect([status, body]).toMatchObject([
      200,
      { replicas: 1, dead_letters: 0, parked: 0, store: { status: 'up' }, broker: { status: 'up' } },
    ]);
    for (const statement of [undefined, 'x.y', `${sign({ call: true })}x`, sign({}), sign({ kind: 'user', groups: ['Admin'] })])
      expect([(await ask(statement)).status, (await ask(statement)).body.code]).toEqual([404, 'no_such_route']);
  });
  it.each(['/scim/v2/Nowhere', '/scim/v2', '/scim/v2?a=b'])('refuses with SCIM errors on SCIM paths: %s', async (path) => {
    const answer = await request(service.server).get(path);
    expect([answer.status, answer.type]).toEqual([503, 'application/scim+json']);
    expect(JSON.parse(String(answer.text ?? answer.body))).toEqual({
      schemas: ['urn:ietf:params:scim:api:messages:2.0:Error'],
      status: '503',
      detail: expect.any(String),
    });
  });
  it('has no document to serve', async () => expect((await request(service.server).get('/openapi.json')).status).toBe(503));
});

describe('the edge, with an allowlist', () => {
  let service: ServiceUnderTest;
  beforeAll(async () => {
    service = await serviceUnderTest(edge, {
      PARLANCE_ALLOWED_IP_V4_ADDRESS_RANGES: '192.0.2.0/24',
      PARLANCE_TRUSTED_PROXIES: '127.0.0.0/8,::1/128',
    });
  });
  afterAll(() => service.stop());
  const from = (address: string, path = '/asyncapi.json') => request(service.server).get(path).set('x-forwarded-for', address);

  it('accepts an address on the allowlist', async () => expect((await from('192.0.2.9')).status).toBe(200));
  it('refuses any other address', async () => {
    const answer = await from('203.0.113.9');
    expect([answer.status, answer.body.code]).toEqual([403, 'address_not_allowed']);
  });
  it('answers the liveness probe of any address', async () => expect((await from('203.0.113.9', '/health/live')).status).toBe(200));
});
