import { once } from 'node:events';
import { type IncomingMessage, request as httpRequest } from 'node:http';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Vault } from '@parlance/privacy';
import { IN_ONE_PROCESS, RevocationWatcher } from '@parlance/revocation';
import { waitFor } from '@parlance/testing';
import request from 'supertest';
import { SessionCheck } from '../src/http/authentication/session-check.ts';
import { answerRevocations, type Revoking } from './revocations.ts';
import { type EdgeUnderTest, edgeWith, stub } from './rig.ts';

const mine = {
  get: { operationId: 'mine', responses: { 200: {} } },
  post: { operationId: 'make', responses: { 201: {} } },
  ...Object.fromEntries(['put', 'patch', 'delete'].map((method) => [method, { operationId: method, responses: { 200: {} } }])),
};

const streams = {
  get: { operationId: 'follow', responses: { 200: { content: { 'text/event-stream': {} } } } },
  post: { operationId: 'ask', responses: { 200: { content: { 'text/event-stream': {} } } } },
};

function bots() {
  const service = Object.assign(stub('bots', { '/mine': mine, '/stream': streams }), { asked: 0 });
  service.addHook('preHandler', async ({ url }) => {
    if (url === '/mine') service.asked += 1;
  });
  service.get('/mine', () => ({ ok: true }));
  service.post('/mine', (_, reply) => reply.code(201).send({ ok: true }));
  for (const method of ['put', 'patch', 'delete'] as const) service[method]('/mine', () => ({ ok: true }));
  for (const method of ['get', 'post'] as const)
    service[method]('/stream', (_, reply) => {
      // The stream ends when its client has left.
      const writing = setInterval(() => reply.raw.write('data: word\n\n'), 5);
      reply.raw.on('close', () => clearInterval(writing));
      reply.hijack();
      reply.raw.writeHead(200, { 'content-type': 'text/event-stream' }).write('data: begin\n\n');
    });
  return service;
}

/** How long an edge relies on its copy. */
const LEASE_MILLIS = IN_ONE_PROCESS.leaseMs;

describe.each([false, true])('an edge whose identity revokes (over HTTP: %s)', (overHttp) => {
  let edge: EdgeUnderTest;
  let identity: Revoking;
  beforeAll(async () => {
    const service = stub('identity');
    identity = answerRevocations(service);
    edge = await edgeWith({ identity: service, bots: bots() }, { overHttp });
    await waitFor(() => edge.app.get(RevocationWatcher).isFresh);
  });
  afterAll(() => edge.stop());

  const ask = async (user: string) =>
    request(edge.url)
      .get('/mine')
      .set(await edge.as(user));

  it('accepts callers whose session is active, without a call to identity', async () => {
    expect((await ask('ann')).status).toBe(200);
    expect(identity.asked).toBe(0);
  });

  it('accepts no request of a user once the revocation is answered, until it is lifted', async () => {
    expect((await ask('ben')).status).toBe(200);
    await identity.revoke('user:ben');
    const answer = await ask('ben');
    expect([answer.status, answer.body.code]).toEqual([401, 'invalid_token']);
    expect(answer.body.detail).toBe('The session of this access token has ended. Sign in again.');
    expect((await ask('ann')).status).toBe(200);
    await identity.lift('user:ben');
    expect((await ask('ben')).status).toBe(200);
  });

  it.each([
    ['GET', 'session', true],
    ['GET', 'user', false],
    ['POST', 'session', false],
    ['POST', 'user', true],
  ] as const)('ends the stream of a %s when its %s is revoked (read meanwhile: %s)', async (method, what, reads) => {
    const name = `${method}-${what}`;
    // A stream may also start without being requested by its media type.
    const headers = { ...(await edge.bearing({ sub: name, sid: name })), ...(method === 'POST' && { accept: 'text/event-stream' }) };
    const others = httpRequest(`${edge.url}/stream`, { method, headers: { ...headers, ...(await edge.as('eve')) } }).end();
    const [goingOn] = (await once(others, 'response')) as [IncomingMessage];
    const asking = httpRequest(`${edge.url}/stream`, { method, headers }).end();
    const [answer] = (await once(asking, 'response')) as [IncomingMessage];
    // Node reports the end of a connection within an answer as an error.
    const broken = once(answer, 'close').catch((error: Error) => error.message);
    if (reads) answer.resume();
    await identity.revoke(`${what}:${name}`);
    answer.resume();
    expect(await broken).toBe('aborted');
    await once(goingOn, 'data');
    goingOn.destroy();
  });

  it('forgets the key of an erased user before the revocation is answered', async () => {
    const vault = edge.app.get(Vault);
    const sealed = await vault.seal({ id: 'user:dan' }, 'a remembered answer');
    edge.shred('dan');
    expect(await vault.open(sealed)).toBe('a remembered answer');
    await identity.revoke('user:dan');
    expect(await vault.open(sealed)).toBeNull();
  });

  it('accepts no request after a revocation was answered', async () => {
    for (let round = 0; round < 20; round += 1) {
      const user = `user-${round}`;
      const headers = await edge.as(user);
      expect((await request(edge.url).get('/mine').set(headers)).status).toBe(200);
      await identity.revoke(`user:${user}`);
      expect((await request(edge.url).get('/mine').set(headers)).status).toBe(401);
    }
  });
});

describe('an edge that loses its identity service', () => {
  let edge: EdgeUnderTest;
  let identity: Revoking;
  const service = stub('identity');
  beforeAll(async () => {
    identity = answerRevocations(service);
    edge = await edgeWith({ identity: service, bots: bots() });
    await waitFor(() => edge.app.get(RevocationWatcher).isFresh);
  });
  afterAll(() => edge.stop());

  const ask = async (user: string) =>
    request(edge.url)
      .get('/mine')
      .set(await edge.as(user));

  it('is unavailable as soon as its copy is too old, and recovers with identity', async () => {
    const watcher = edge.app.get(RevocationWatcher);
    expect((await ask('ann')).status).toBe(200);
    edge.host.local.leave('identity');
    edge.later(LEASE_MILLIS);
    await waitFor(() => !watcher.isFresh);
    const answer = await ask('ann');
    expect([answer.status, answer.body.code]).toEqual([503, 'service_unavailable']);
    expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0);
    await edge.host.local.enter('identity', service);
    await waitFor(() => watcher.isFresh);
    expect((await ask('ann')).status).toBe(200);
  });

  it('still serves routes that need no sign-in', async () => {
    edge.host.local.leave('identity');
    edge.later(LEASE_MILLIS);
    await waitFor(() => !edge.app.get(RevocationWatcher).isFresh);
    expect((await request(edge.url).get('/asyncapi.json')).status).toBe(200);
    await edge.host.local.enter('identity', service);
  });

  it('asks identity for each key while it has no fresh copy, and uses the answer', async () => {
    const watcher = edge.app.get(RevocationWatcher);
    await watcher.stop();
    await identity.revoke('user:cat');
    const before = identity.asked;
    expect([(await ask('cat')).status, (await ask('ann')).status]).toEqual([401, 200]);
    expect(identity.asked).toBeGreaterThan(before);
  });
});

describe.each([
  ['in one process', false],
  ['over HTTP', true],
])('a body that takes its time, %s,', (_shape, overHttp) => {
  let edge: EdgeUnderTest;
  let identity: Revoking;
  let service: ReturnType<typeof bots>;
  beforeAll(async () => {
    const identityStub = stub('identity');
    identity = answerRevocations(identityStub);
    service = bots();
    edge = await edgeWith({ identity: identityStub, bots: service }, { overHttp });
    await waitFor(() => edge.app.get(RevocationWatcher).isFresh);
  });
  afterAll(() => edge.stop());

  /** Sends the beginning of a request by hand. `accepted` resolves when the edge has let it in; `finish` sends the rest. */
  async function begin(user: string, method: string, more: Readonly<Record<string, string>>) {
    const { authorization } = await edge.as(user);
    const sessions = edge.app.get(SessionCheck);
    const require = sessions.requireActive.bind(sessions);
    const { promise: accepted, resolve: accept } = Promise.withResolvers<void>();
    sessions.requireActive = (caller) => require(caller).finally(accept);
    const { hostname, port } = new URL(edge.url);
    const sent = httpRequest({ hostname, port, path: '/mine', method, headers: { authorization, ...more }, agent: false });
    sent.flushHeaders();
    const answered = once(sent, 'response') as Promise<[IncomingMessage]>;
    if (more['expect'] === undefined) sent.write('{"a":');
    else {
      await once(sent, 'continue');
      sent.write('{"a":');
    }
    return {
      accepted: accepted.finally(() => (sessions.requireActive = require)),
      finish: async () => {
        sent.end('1}');
        const [answer] = await answered;
        return [answer.statusCode, (JSON.parse(await text(answer)) as { code?: string }).code];
      },
    };
  }

  const json = { 'content-type': 'application/json' };
  it.each([
    ['POST', { ...json, 'content-length': '7' }],
    ['POST', { ...json, 'transfer-encoding': 'chunked' }],
    ['POST', { ...json, 'content-length': '7', expect: '100-continue' }],
    ['POST', { ...json, 'transfer-encoding': 'chunked', 'idempotency-key': 'one' }],
    ['PUT', { ...json, 'transfer-encoding': 'chunked' }],
    ['PATCH', { ...json, 'content-length': '7' }],
    ['DELETE', { ...json, 'content-length': '7' }],
  ])('does not outlive the session of a %s: %j', async (method, headers) => {
    const user = `late-${method}-${Object.keys(headers).join()}-${overHttp}`;
    const asked = service.asked;
    const { accepted, finish } = await begin(user, method, headers);
    await accepted;
    await identity.revoke(`user:${user}`);
    expect(await finish()).toEqual([401, 'invalid_token']);
    expect(service.asked).toBe(asked);
  });

  it('does not outlive the token of its request', async () => {
    const { accepted, finish } = await begin('ann', 'PATCH', { ...json, 'content-length': '7' });
    await accepted;
    edge.later(31 * 60_000);
    expect(await finish()).toEqual([401, 'invalid_token']);
  });

  it('is accepted if the session continues', async () => {
    const { accepted, finish } = await begin('ben', 'PATCH', { ...json, 'transfer-encoding': 'chunked' });
    await accepted;
    expect((await finish())[0]).toBe(200);
  });
});
