import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { newId } from '@parlance/event-store';
import { mintPersonalToken } from '@parlance/http';
import { RevocationWatcher } from '@parlance/revocation';
import { waitFor } from '@parlance/testing';
import { TokenUses } from '../src/http/authentication/token-uses.ts';
import { FastPath } from '../src/http/routing/fast-path.ts';
import { raw } from './raw.ts';
import { identityOf, type Owner } from './known-tokens.ts';
import { answerRevocations, type Revoking } from './revocations.ts';
import { type EdgeUnderTest, edgeWith, statementIn, stub } from './rig.ts';

let operations = 0;
const needing = (scope?: string) => ({
  operationId: `operation${++operations}`,
  security: [{ bearer: [] }],
  responses: { 200: {} },
  ...(scope !== undefined && { 'x-token-scope': scope }),
});
const paths = {
  '/chat': { get: needing('chat'), post: needing('chat') },
  '/admin': { get: needing('admin:read') },
  '/sign-out': { get: needing('none') },
  '/undeclared': { get: needing() },
  '/v1/models': { get: needing('models') },
  '/v1/messages': { post: needing('models') },
  '/stream': { get: { ...needing('chat'), responses: { 200: { content: { 'text/event-stream': {} } } } } },
};

describe.each([
  ['with the fast path', true],
  ['without it', false],
])('a personal access token, %s,', (_, isFast) => {
  const reported: { token_id: string; at: number }[] = [];
  const { service, tokens } = identityOf(reported);
  let edge: EdgeUnderTest;
  let identity: Revoking;
  beforeAll(async () => {
    const bots = stub('bots', paths);
    for (const path of ['/chat', '/admin', '/sign-out', '/undeclared']) bots.get(path, (request) => statementIn(request));
    bots.get('/v1/models', (request) => ({ ...statementIn(request), sent: request.headers }));
    bots.post('/v1/messages', (request) => statementIn(request));
    bots.post('/chat', (request) => statementIn(request));
    bots.get('/stream', (__, reply) => {
      reply.hijack();
      reply.raw.writeHead(200, { 'content-type': 'text/event-stream' }).write('data: begin\n\n');
    });
    identity = answerRevocations(service);
    edge = await edgeWith(
      { identity: service, bots },
      {
        settings: {
          PARLANCE_TRUSTED_PROXIES: '127.0.0.0/8,::1/128',
          PARLANCE_ANONYMOUS_REQUESTS_PER_MINUTE: '1000',
          PARLANCE_REQUESTS_PER_MINUTE: '50',
        },
      },
    );
    await waitFor(() => edge.app.get(RevocationWatcher).isFresh);
  });
  afterAll(() => edge.stop());
  beforeEach(() => {
    edge.app.get(FastPath).isOn = isFast;
  });
  afterEach(() => void jest.restoreAllMocks());

  const make = (overrides: object = {}) => {
    const tokenId = newId();
    const { value, hash } = mintPersonalToken(tokenId);
    const owner: Owner = { id: newId(), version: 1, groups: ['Team'], usable: true };
    tokens.set(tokenId, { hash, owner, its: overrides });
    return { tokenId, value, owner };
  };
  const ask = async (value: string, path = '/chat', headers: Record<string, string> = {}, method = 'GET') => {
    const answer = await raw(edge.url, path, { method, headers: { authorization: `Bearer ${value}`, ...headers } });
    return { status: answer.status, code: answer.code, body: JSON.parse(answer.body || '{}') as Record<string, unknown> };
  };
  const outcomes = async (value: string, ...more: [path?: string, headers?: Record<string, string>]) => {
    // The second request can take the fast path.
    const [first, second] = [await ask(value, ...more), await ask(value, ...more)];
    expect([first.status, first.code]).toEqual([second.status, second.code]);
    return second.code ?? second.status;
  };

  describe('that may call models', () => {
    const terms = {
      models: ['m'],
      requests_per_minute: 9,
      tokens_per_minute: null,
      max_parallel_requests: null,
      cost_centre: null,
      tags: {},
    };
    const makeForModels = () => make({ scopes: ['models'], call_terms: terms });
    const withKey = async (value: string, path: string, headers: Record<string, string> = {}, method = 'GET') => {
      const answer = await raw(edge.url, path, { method, headers: { 'x-api-key': value, ...headers } });
      return { status: answer.status, body: JSON.parse(answer.body || '{}') as Record<string, unknown> };
    };

    it('has its terms in the statement, and may be sent as x-api-key, which no service sees', async () => {
      const { tokenId, value } = makeForModels();
      for (const answer of [await ask(value, '/v1/models'), await withKey(value, '/v1/models'), await withKey(value, '/v1/models')]) {
        expect(answer).toMatchObject({ status: 200, body: { tid: tokenId, terms } });
        const sent = Object.keys(answer.body['sent'] as object);
        expect(sent.filter((name) => name === 'authorization' || name === 'x-api-key')).toEqual([]);
      }
    });
    it('may be sent as x-api-key for calls of models only, and a bearer token counts instead', async () => {
      const [{ value }, { value: other }] = [make({ scopes: ['models', 'chat'] }), make({ scopes: ['chat'] })];
      expect((await withKey(value, '/chat')).status).toBe(401);
      expect((await withKey(value, '/v1/models', { authorization: `Bearer ${other}` })).status).toBe(403);
    });
    it('is refused in the format of the called API', async () => {
      const { value } = make({ scopes: ['chat'] });
      const openAi = (await withKey(value, '/v1/models')).body;
      const anthropic = (await withKey(value, '/v1/messages', {}, 'POST')).body;
      expect(openAi).toMatchObject({ error: { code: 'scope_missing', type: 'invalid_request_error' } });
      expect(anthropic).toMatchObject({ type: 'error', error: { code: 'scope_missing', type: 'permission_error' } });
    });
    it('is named by a refusal of a request without one', async () => {
      const { body } = await raw(edge.url, '/v1/models', { method: 'GET', headers: {} });
      expect(body).toContain('or send a personal access token with the scope models.');
    });
    it('is limited by its terms, not as its user', async () => {
      const { value } = makeForModels();
      const statuses = new Set<number>();
      for (let request = 0; request < 60; request++) statuses.add((await ask(value, '/v1/models')).status);
      expect([...statuses]).toEqual([200]);
    });
  });

  it('acts for its owner, and services receive its ID', async () => {
    const { tokenId, value, owner } = make();
    const before = service.asked;
    const { forwarded } = edge.app.get(FastPath);
    for (let round = 0; round < 5; round++) {
      const { body } = await ask(value);
      expect(body).toMatchObject({ sub: owner.id, groups: ['Team'], tid: tokenId, sid: null, kind: 'user' });
    }
    expect((await ask(value, '/chat', {}, 'POST')).body).toMatchObject({ tid: tokenId });
    expect(service.asked).toBe(before + 1);
    expect(edge.app.get(FastPath).forwarded - forwarded).toBe(isFast ? 5 : 0);
  });
  it.each<[string, (value: string) => string]>([
    ['with another checksum', (value) => `${value.slice(0, -1)}${value.endsWith('0') ? '1' : '0'}`],
    ['that is too short', (value) => value.slice(0, -1)],
    ['of capital letters', (value) => value.toUpperCase().replace('PAT_', 'pat_')],
    ['of nothing', () => 'pat_'],
  ])('%s is refused without a look-up', async (__, change) => {
    const before = service.asked;
    expect(await outcomes(change(make().value))).toBe('invalid_token');
    expect(service.asked).toBe(before);
  });
  it('with another secret is refused', async () => {
    const { tokenId, value } = make();
    expect(await outcomes(value)).toBe(200);
    expect(await outcomes(mintPersonalToken(tokenId).value)).toBe('invalid_token');
  });
  it('that is unknown is refused', async () => expect(await outcomes(mintPersonalToken(newId()).value)).toBe('invalid_token'));
  it('that has expired is refused', async () => {
    const { value } = make({ expires_at: Math.floor(Date.now() / 1000) + 3_000 });
    expect(await outcomes(value)).toBe(200);
    edge.later(3_000_000);
    expect(await outcomes(value)).toBe('invalid_token');
  });
  it('is refused from another address', async () => {
    const { value } = make({ allowed_ip_ranges: ['192.0.2.0/24'] });
    expect(await outcomes(value, '/chat', { 'x-forwarded-for': '192.0.2.9' })).toBe(200);
    expect(await outcomes(value, '/chat', { 'x-forwarded-for': '198.51.100.9' })).toBe('invalid_token');
  });
  it('is refused if it lacks the scope, which the refusal names', async () => {
    const { value } = make();
    expect(await outcomes(value, '/admin')).toBe('scope_missing');
    expect((await ask(value, '/admin')).body['detail']).toContain('admin:read');
    expect(await outcomes(make({ scopes: ['admin:read'] }).value, '/admin')).toBe(200);
  });
  it.each(['/sign-out', '/undeclared'])('is not for %s', async (path) =>
    expect(await outcomes(make({ scopes: ['chat', 'admin:read', 'admin:write', 'none'] }).value, path)).toBe('token_not_allowed'),
  );
  it('is refused once its revocation is answered', async () => {
    for (let round = 0; round < 5; round++) {
      const { tokenId, value } = make();
      expect(await outcomes(value)).toBe(200);
      tokens.delete(tokenId);
      await identity.revoke(`token:${tokenId}`);
      expect(await outcomes(value)).toBe('invalid_token');
    }
  });
  it('is refused once its owner is disabled, and accepted once the owner is enabled', async () => {
    const { value, owner } = make();
    expect(await outcomes(value)).toBe(200);
    owner.usable = false;
    await identity.revoke(`owner:${owner.id}/${owner.version++}`);
    expect(await outcomes(value)).toBe('invalid_token');
    owner.usable = true;
    await identity.revoke(`owner:${owner.id}/${owner.version++}`);
    expect(await outcomes(value)).toBe(200);
  });
  it('loses the rights of a group once its owner has left the group', async () => {
    const { value, owner } = make();
    expect((await ask(value)).body['groups']).toEqual(['Team']);
    owner.groups = [];
    await identity.revoke(`owner:${owner.id}/${owner.version++}`);
    expect((await ask(value)).body['groups']).toEqual([]);
  });
  it('ends its streams when it is revoked', async () => {
    const { tokenId, value } = make();
    await ask(value);
    const answer = await fetch(`${edge.url}/stream`, { headers: { authorization: `Bearer ${value}` } });
    const reader = answer.body!.getReader();
    await reader.read();
    tokens.delete(tokenId);
    await identity.revoke(`token:${tokenId}`);
    await expect(reader.read()).rejects.toThrow();
  });
  it('that is unknown causes no call to identity from an address that has sent too many', async () => {
    // The limit refills by this clock, which is stopped because a slow machine would refill it between requests.
    jest.spyOn(performance, 'now').mockReturnValue(performance.now());
    const from = { 'x-forwarded-for': isFast ? '198.51.100.1' : '198.51.100.2' };
    const { value } = make();
    await ask(value);
    let last = await ask(mintPersonalToken(newId()).value, '/chat', from);
    for (let index = 0; index < 1_100 && last.status === 401; index++) last = await ask(mintPersonalToken(newId()).value, '/chat', from);
    expect(last.status).toBe(429);
    const before = service.asked;
    for (let index = 0; index < 5; index++) expect((await ask(mintPersonalToken(newId()).value, '/chat', from)).status).toBe(429);
    expect([service.asked - before, (await ask(value, '/chat', from)).status]).toEqual([0, 200]);
  });
  it('has its last use reported to identity later, once for all its requests', async () => {
    const uses = edge.app.get(TokenUses);
    await uses.report();
    reported.splice(0);
    const { tokenId, value } = make();
    for (let round = 0; round < 3; round++) await ask(value);
    expect(reported).toEqual([]);
    await uses.report();
    await uses.report();
    expect(reported).toEqual([{ token_id: tokenId, at: expect.any(Number) }]);
  });
});
