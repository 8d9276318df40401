import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { type Commit, EventStore } from '@parlance/event-store';
import { isUlid } from '@parlance/http';
import { Streams } from '@parlance/foundation';
import { WriteFailed } from '@parlance/sqlite';
import { rememberedRequest, type RememberedRequestEvent } from '../src/domain/remembered-request.ts';
import { create as createAt, type CreatingRequest } from './idempotent-requests.ts';
import { maker } from './maker.ts';
import { type EdgeUnderTest, edgeWith } from './rig.ts';

describe.each([
  ['in one process', false],
  ['over HTTP', true],
])('a request with an Idempotency-Key, %s', (_, overHttp) => {
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

  it('is answered by the edge alone from the remembered answer', async () => {
    const key = newKey();
    const first = await create(key);
    const asked = bots.nids.length;
    const again = await create(key, { text: '{ "bot_title" : "Guide" }' });
    expect(bots.nids).toHaveLength(asked);
    expect([first.status, first.replayed, isUlid(first.body.id)]).toEqual([201, null, true]);
    expect([again.status, again.replayed, again.body]).toEqual([201, 'true', { ...first.body, key_value: 'pk_01234…ijkl' }]);
    expect(['etag', 'location', 'content-type', 'x-other'].map((name) => again.headers.get(name))).toEqual([
      '"1"',
      '/bot/1',
      first.headers.get('content-type'),
      null,
    ]);
  });
  it('is the same in camelCase, and is answered in the requested case', async () => {
    const key = newKey();
    const { body: first } = await create(key);
    const again = await create(key, { text: '{"botTitle":"Guide"}', headers: { accept: 'application/json; case=camel' } });
    expect([again.replayed, again.body]).toEqual(['true', { id: first.id, madeFor: 'ann', count: first.count, keyValue: 'pk_01234…ijkl' }]);
  });
  it('is remembered in snake_case, even if its first answer was in camelCase', async () => {
    const key = newKey();
    const { body: first } = await create(key, { headers: { accept: 'application/json; case=camel' } });
    expect(first).toMatchObject({ madeFor: 'ann', keyValue: 'pk_0123456789abcdefghijkl' });
    expect((await create(key)).body).toEqual({ id: first.id, made_for: 'ann', count: first.count, key_value: 'pk_01234…ijkl' });
  });
  it('is refused with another body, or another query', async () => {
    const key = newKey();
    await create(key);
    for (const other of [await create(key, { title: 'Other' }), await create(key, { path: '/bot?a=1' })]) {
      expect([other.status, other.body.code]).toEqual([409, 'idempotency_key_reused']);
    }
  });
  it("is unrelated to another user's, and to the same key at another path", async () => {
    const key = newKey();
    await create(key);
    const others = [
      await create(key, { user: 'ben' }),
      await create(key, { path: '/bot/1/copy' }),
      await create(key, { path: '/bot/2/copy' }),
      await create(key, { user: null, path: '/auth/sign-up' }),
    ];
    expect(others.map(({ status, replayed }) => [status, replayed])).toEqual(others.map(() => [201, null]));
    expect((await create(key, { user: null, path: '/auth/sign-up' })).replayed).toBe('true');
  });
  it('is separate from the request of an anonymous caller at another address', async () => {
    const key = newKey();
    const signUp = (address: string, title: string) =>
      create(key, { user: null, path: '/auth/sign-up', title, headers: { 'x-forwarded-for': address } });
    const mine = await signUp('2001:db8:0:1::1', 'mine');
    const theirs = await signUp('2001:db8:0:2::1', 'theirs');
    expect([theirs.status, theirs.replayed, theirs.body.id === mine.body.id]).toEqual([201, null, false]);
    const again = await signUp('2001:db8:0:1::2', 'mine');
    expect([again.replayed, again.body.id]).toEqual(['true', mine.body.id]);
  });
  it.each([
    ['/admin/groups', ['Admin'], []],
    ['/admin/groups', ['Admin'], ['PublishAllowed', 'CreatingBotAllowed']],
    ['/bot/1/publication', ['PublishAllowed'], ['CreatingBotAllowed']],
    ['/bot/1/publication', ['Admin'], []],
  ])('at %s gets no earlier answer, and is not remembered, once its caller is no longer in %j', async (path, groups, left) => {
    const key = newKey();
    const first = await create(key, { path, groups });
    expect((await create(key, { path, groups })).replayed).toBe('true');
    const [asked, head] = [bots.nids.length, await edge.app.get(EventStore).head()];
    const repeat = await create(key, { path, groups: left });
    // The service refuses the request, and records the refusal.
    expect([repeat.replayed, bots.nids.length, bots.nids.at(-1)]).toEqual([null, asked + 1, undefined]);
    expect(repeat.body.id).not.toBe(first.body.id);
    expect(await edge.app.get(EventStore).head()).toBe(head);
    expect((await create(key, { path, groups })).body.id).toBe(first.body.id);
  });
  it('is forwarded each time if the service checks the credential', async () => {
    const key = newKey();
    const [first, again] = [1, 2].map(() => ({ user: null, path: '/auth/sign-up', headers: { 'x-api-key': 'one' } }));
    const { body: made } = await create(key, first);
    const repeat = await create(key, again);
    expect([repeat.replayed, repeat.body.id]).toEqual([null, made.id]);
    expect((await create(key, { ...first, headers: { 'x-api-key': 'two' } })).body.id).not.toBe(made.id);
  });
  it('may be repeated after a refusal', async () => {
    const key = newKey();
    bots.asked = 0;
    const [refused, made, again] = [
      await create(key, { title: 'refused' }),
      await create(key, { title: 'refused' }),
      await create(key, { title: 'refused' }),
    ];
    expect([refused, made, again].map(({ status, replayed }) => [status, replayed])).toEqual([
      [409, null],
      [201, null],
      [201, 'true'],
    ]);
    expect(made.body.id).toBe(refused.body.id);
  });
  it('creates one resource when it arrives twice at once', async () => {
    const key = newKey();
    const both = [create(key, { title: 'slow' }), create(key, { title: 'slow' })];
    while (bots.server.listenerCount('go on') < 2) await new Promise(setImmediate);
    bots.server.emit('go on');
    const [one, other] = await Promise.all(both);
    expect([one?.status, other?.status, other?.body.id]).toEqual([201, 201, one?.body.id]);
  });
  it('creates the same resource when the edge crashed before the answer', async () => {
    const key = newKey();
    const before = await edge.app.get(EventStore).head();
    const gone = create(key, { title: 'slow' });
    while (bots.server.listenerCount('go on') < 1) await new Promise(setImmediate);
    const [lost] = await edge.app.get(EventStore).readAll(before, 1);
    const { newId } = (lost as Commit<Extract<RememberedRequestEvent, { type: 'RequestRemembered' }>>).events[0]!.event;
    expect(bots.nids.at(-1)).toBe(newId);
    const { state } = await edge.app.get(Streams).look(rememberedRequest, lost?.stream ?? '');
    expect(state.status).toBe('open');
    const again = create(key, { title: 'slow' });
    while (bots.server.listenerCount('go on') < 2) await new Promise(setImmediate);
    bots.server.emit('go on');
    expect([(await again).replayed, (await again).body.id]).toEqual([null, newId]);
    await gone;
  });
  it.each(['', 'a b', 'ä', 'x'.repeat(256)])('is refused with an invalid key: %j', async (key) => {
    const got = await create(Buffer.from(key).toString('latin1'));
    expect([got.status, got.body.code]).toEqual([400, 'invalid_idempotency_key']);
  });
  it('is treated like any other request if nothing is created', async () => {
    const key = newKey();
    expect((await create(key, { path: '/bot/1/ping' })).body.id).toBe('new');
    expect((await create(key, { path: '/bot/1/ping', title: 'Other' })).body.id).toBe('new');
  });
  it('is not executed when it cannot be remembered', async () => {
    const append = jest.spyOn(edge.app.get(EventStore), 'append').mockRejectedValue(new WriteFailed('disk full'));
    const asked = bots.nids.length;
    const got = await create(newKey());
    append.mockRestore();
    expect([got.status, got.headers.has('retry-after'), bots.nids.length]).toEqual([503, true, asked]);
  });
  it('gets its answer even if that cannot be remembered', async () => {
    const key = newKey();
    const store = edge.app.get(EventStore);
    const append = store.append.bind(store);
    const spy = jest.spyOn(store, 'append').mockImplementationOnce(append).mockRejectedValue(new WriteFailed('disk full'));
    const first = await create(key);
    spy.mockRestore();
    const again = await create(key);
    expect([first.status, again.replayed, again.body.id]).toEqual([201, null, first.body.id]);
  });
  if (overHttp)
    it('may be repeated after its answer was lost, and makes nothing twice', async () => {
      const key = newKey();
      const lost = await create(key, { title: 'lost' });
      expect([lost.status, lost.body.code, lost.body.repeat_with]).toEqual([503, 'outcome_unknown', key]);
      const again = await create(key, { title: 'lost' });
      expect([again.status, again.body.id]).toEqual([201, bots.nids.at(-2)]);
    });
  it('is answered that nothing was changed while its service cannot be reached', async () => {
    edge.host.local.leave('bots');
    bots.server.closeAllConnections();
    await bots.close();
    const { status, body, headers } = await create(newKey());
    expect([status, body.code, headers.has('retry-after')]).toEqual([503, 'service_unavailable', true]);
  });
});
