import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { UserErased } from '@parlance/contracts';
import { EventStore } from '@parlance/event-store';
import type { Sealed } from '@parlance/privacy';
import { isUlid } from '@parlance/http';
import type { RememberedRequestEvent } from '../src/domain/remembered-request.ts';
import { AnswerSeals } from '../src/http/idempotency/answer-seals.ts';
import { create as createAt, type CreatingRequest } from './idempotent-requests.ts';
import { maker } from './maker.ts';
import { type EdgeUnderTest, edgeWith } from './rig.ts';

const hour = 3_600_000;
describe.each([
  ['in one process', false],
  ['over HTTP', true],
])('the record of a request with an Idempotency-Key, %s', (_, overHttp) => {
  let edge: EdgeUnderTest;
  let bots: ReturnType<typeof maker>;
  beforeAll(async () => {
    bots = maker();
    edge = await edgeWith({ bots }, { overHttp, settings: { PARLANCE_TRUSTED_PROXIES: '127.0.0.0/8,::1/128' } });
  });
  afterAll(() => edge.stop());

  let keys = 0;
  const newKey = () => `key-${++keys}`;
  const create = (key: string, request?: CreatingRequest) => createAt(edge, key, request);
  const recorded = async () => JSON.stringify(await edge.app.get(EventStore).readAll(0, 10_000));

  it('is forgotten after a day', async () => {
    const key = newKey();
    const { body: first } = await create(key);
    edge.later(23 * hour);
    expect((await create(key)).replayed).toBe('true');
    edge.later(hour);
    const second = await create(key, { title: 'Other' });
    expect([second.status, second.replayed, second.body.id === first.id]).toEqual([201, null, false]);
  });
  it('can no longer be read after a day', async () => {
    const key = newKey();
    await create(key);
    const sealedAnswers = async () => {
      const commits = await edge.app.get(EventStore).readAll(0, 10_000);
      return commits
        .flatMap(({ events }) => events.map(({ event }) => event as RememberedRequestEvent))
        .flatMap((event) => (event.type === 'AnswerRemembered' ? [event.answer as Sealed] : []));
    };
    const seals = edge.app.get(AnswerSeals);
    const last = (await sealedAnswers()).at(-1) as Sealed;
    expect(await seals.open(last)).toMatchObject({ headers: { location: '/bot/1' } });
    edge.later(24 * hour);
    await seals.destroyExpired();
    expect(await seals.open(last)).not.toBeNull();
    edge.later(25 * hour);
    expect(await seals.destroyExpired()).toBeGreaterThan(0);
    for (const sealed of await sealedAnswers()) expect(await seals.open(sealed)).toBeNull();
    expect((await create(key)).replayed).toBeNull();
  });
  it('is written for an anonymous caller only after a successful creation', async () => {
    const before = await edge.app.get(EventStore).head();
    bots.asked = 0;
    const key = newKey();
    const signUp = () => create(key, { user: null, path: '/auth/sign-up', title: 'refused' });
    expect((await signUp()).status).toBe(409);
    expect(await edge.app.get(EventStore).head()).toBe(before);
    // The repeat gets the same ID.
    const made = await signUp();
    expect([made.status, made.replayed, bots.nids.at(-1) === bots.nids.at(-2), isUlid(made.body.id)]).toEqual([201, null, true, true]);
    expect([(await signUp()).replayed, (await create(key, { user: null, path: '/auth/sign-up', title: 'Other' })).status]).toEqual([
      'true',
      409,
    ]);
  });
  it('can no longer be read when its user was erased', async () => {
    const key = newKey();
    await create(key, { user: 'cat' });
    edge.shred('cat');
    await edge.hear(UserErased.type, 'cat', { user_id: 'cat' });
    let again = await create(key, { user: 'cat' });
    for (let tries = 0; again.replayed !== null && tries < 100; tries++) again = await create(key, { user: 'cat' });
    // The edge forwards the request, because it no longer has a key for the remembered answer.
    expect([again.status, again.replayed]).toEqual([201, null]);
    const before = await edge.app.get(EventStore).head();
    expect((await create(newKey(), { user: 'cat' })).status).toBe(201);
    expect(await edge.app.get(EventStore).head()).toBe(before + 1);
  });
  it('can no longer be read when the user that it created was erased', async () => {
    const key = newKey();
    const made = await create(key, { path: '/admin/users' });
    expect((await create(key, { path: '/admin/users' })).replayed).toBe('true');
    edge.shred(made.body.id);
    await edge.hear(UserErased.type, made.body.id, { user_id: made.body.id });
    let again = await create(key, { path: '/admin/users' });
    for (let tries = 0; again.replayed !== null && tries < 100; tries++) again = await create(key, { path: '/admin/users' });
    expect([again.status, again.replayed, again.body.id]).toEqual([201, null, made.body.id]);
  });
  it('has no secret, no body and no name in the log', async () => {
    await create(newKey(), { title: 'canary-title' });
    const log = await recorded();
    for (const word of ['canary-title', 'pk_0123456789', 'pk_01234', 'key-1', 'made_for']) expect(log).not.toContain(word);
  });
});
