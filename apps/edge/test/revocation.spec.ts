import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { RevocationWatcher } from '@parlance/revocation';
import { waitFor } from '@parlance/testing';
import request from 'supertest';
import { LivingSessions } from '../src/http/living-sessions.ts';
import { answerRevocations, type Revoking } from './revocations.ts';
import { type EdgeUnderTest, edgeWith, stub } from './rig.ts';

const mine = { get: { operationId: 'mine', responses: { 200: {} } }, post: { operationId: 'make', responses: { 201: {} } } };

function bots() {
  const service = stub('bots', { '/mine': mine });
  service.get('/mine', () => ({ ok: true }));
  service.post('/mine', (_, reply) => reply.code(201).send({ ok: true }));
  return service;
}

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

  it('accepts whose session goes on, and asks nobody', async () => {
    expect((await ask('ann')).status).toBe(200);
    expect(identity.asked).toBe(0);
  });

  it('accepts nothing of a user from the answer on, until it is lifted', async () => {
    expect((await ask('ben')).status).toBe(200);
    await identity.revoke('user:ben');
    const answer = await ask('ben');
    expect([answer.status, answer.body.code]).toEqual([401, 'invalid_token']);
    expect(answer.body.detail).toBe('The session of this access token has ended: sign in again.');
    expect((await ask('ann')).status).toBe(200);
    await identity.lift('user:ben');
    expect((await ask('ben')).status).toBe(200);
  });

  it('takes not one request after a revocation was answered', async () => {
    for (let round = 0; round < 20; round += 1) {
      const user = `user-${round}`;
      const headers = await edge.as(user);
      expect((await request(edge.url).get('/mine').set(headers)).status).toBe(200);
      await identity.revoke(`user:${user}`);
      expect((await request(edge.url).get('/mine').set(headers)).status).toBe(401);
    }
  });
});

describe('an edge that loses its identity', () => {
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

  it('says that it is unavailable as soon as its copy is too old, and is back with it', async () => {
    const watcher = edge.app.get(RevocationWatcher);
    expect((await ask('ann')).status).toBe(200);
    edge.host.local.leave('identity');
    await waitFor(() => !watcher.isFresh);
    const answer = await ask('ann');
    expect([answer.status, answer.body.code]).toEqual([503, 'service_unavailable']);
    expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0);
    await edge.host.local.enter('identity', service);
    await waitFor(() => watcher.isFresh);
    expect((await ask('ann')).status).toBe(200);
  });

  it('still serves what needs nobody', async () => {
    edge.host.local.leave('identity');
    await waitFor(() => !edge.app.get(RevocationWatcher).isFresh);
    expect((await request(edge.url).get('/asyncapi.json')).status).toBe(200);
    await edge.host.local.enter('identity', service);
  });

  it('asks for each while it has no fresh copy, and takes the answer', async () => {
    const watcher = edge.app.get(RevocationWatcher);
    await watcher.stop();
    await identity.revoke('user:cat');
    const before = identity.asked;
    expect([(await ask('cat')).status, (await ask('ann')).status]).toEqual([401, 200]);
    expect(identity.asked).toBeGreaterThan(before);
  });
});

describe('a body that takes its time', () => {
  let edge: EdgeUnderTest;
  let identity: Revoking;
  beforeAll(async () => {
    const service = stub('identity');
    identity = answerRevocations(service);
    edge = await edgeWith({ identity: service, bots: bots() });
    await waitFor(() => edge.app.get(RevocationWatcher).isFresh);
  });
  afterAll(() => edge.stop());

  it('does not carry a request over the end of its session', async () => {
    const sessions = edge.app.get(LivingSessions);
    const require = sessions.require.bind(sessions);
    const { promise: accepted, resolve: accept } = Promise.withResolvers<void>();
    sessions.require = (caller) => require(caller).finally(accept);
    const body = new ReadableStream<Uint8Array>({
      async start(controller) {
        controller.enqueue(Buffer.from('{"a":'));
        await accepted;
        await identity.revoke('session:session');
        controller.enqueue(Buffer.from('1}'));
        controller.close();
      },
    });
    // The edge reads the body itself, to know the request again.
    const headers = { ...(await edge.as('ann')), 'content-type': 'application/json', 'idempotency-key': 'one' };
    const init = { method: 'POST', headers, body, duplex: 'half' };
    expect((await fetch(`${edge.url}/mine`, init as RequestInit)).status).toBe(401);
  });
});
