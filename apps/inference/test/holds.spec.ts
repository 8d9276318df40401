import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { PublicationRemoved } from '@parlance/contracts';
import { newId } from '@parlance/event-store';
import { KeysOfUsers, type ServiceUnderTest, serviceUnderTest } from '@parlance/foundation/harness';
import { waitFor } from '@parlance/testing';
import request from 'supertest';
import { PostponedRemovals } from '../src/projections/postponed-removals.ts';
import { ConversationsOwnedBy, MessagesLeft } from '../src/projections/content-of-user.ts';
import { BotsService } from './bots-service.ts';
import { opened } from './opened-service.ts';

const DAYS = 86_400_000;
const botId = newId();

interface Place {
  readonly conversation_id: string;
  readonly message_id: string;
}

describe('conversations on hold', () => {
  const { service: inference, buses } = opened();
  const bots = new BotsService();
  let service: ServiceUnderTest;
  type Method = 'get' | 'post' | 'delete';
  const call = (userId: string, method: Method, path: string, ...groups: string[]) => {
    const who = service.as(userId, ...groups);
    return request(service.server)[method](path).set(who);
  };
  const text = { message: { content: [{ content_type: 'text', body: 'Why marmalade?' }] } };
  const talk = async (userId: string, options: object = {}): Promise<Place> => {
    const { body } = await call(userId, 'post', '/conversation').send({ ...text, ...options });
    const isThere = async () => (await call(userId, 'get', `/conversation/${body.conversation_id}/${body.message_id}`)).status === 200;
    await waitFor(isThere, { what: 'the reply' });
    return body;
  };
  const withBot = async (userId: string): Promise<Place> => {
    bots.owner = userId;
    return talk(userId, { bot_id: botId });
  };
  const left = async ({ conversation_id }: Place) => (await buses.queries.execute(new MessagesLeft(conversation_id))).length;
  const report = async (step: 'place' | 'end', hold_id: string, subject: object) => {
    const sending = request(service.server).post(`/internal/holds/${step}`).set(service.asService('identity'));
    expect((await sending.send({ hold_id, ...subject })).status).toBe(204);
  };
  const placeHold = async (subject: object): Promise<string> => {
    const holdId = newId();
    await report('place', holdId, subject);
    return holdId;
  };
  const rule = async () => {
    const body = { inactive_days: 1, applies_to: 'all', enabled: true };
    return (await call('root', 'post', '/admin/retention', 'Admin').send(body)).body.id as string;
  };

  beforeAll(async () => {
    service = await serviceUnderTest(inference);
    await new KeysOfUsers().enter(service.host);
    await bots.enter(service);
  });
  afterAll(() => service.stop());

  it('keep stored responses too, until the hold on their user ends', async () => {
    const userId = newId();
    const responses = (method: Method, path = '') =>
      request(service.server)[method](`/v1/responses${path}`).set(service.asModelsToken(newId(), userId));
    const sent = request(service.server).post('/v1/responses').set(service.asModelsToken(newId(), userId));
    const { body } = await sent.send({ model: 'local-extractive', input: 'Hello?', store: true });
    const holdId = await placeHold({ user_id: userId });
    const refused = await responses('delete', `/${body.id}`);
    expect([refused.status, refused.body.error.code, refused.text.includes(holdId)]).toEqual([409, 'on_hold', false]);
    await rule();
    service.later(2 * DAYS);
    await buses.rounds.deleteInactive();
    expect((await responses('get', `/${body.id}`)).status).toBe(200);
    await report('end', holdId, { user_id: userId });
    await buses.rounds.deleteInactive();
    expect((await responses('get', `/${body.id}`)).status).toBe(404);
    for (const { id } of (await call('root', 'get', '/admin/retention', 'Admin')).body.rules)
      await call('root', 'delete', `/admin/retention/${id}`, 'Admin');
  });

  it('keep files for batches too, until the hold on their user ends', async () => {
    const userId = newId();
    const files = (method: Method, path = '') =>
      request(service.server)[method](`/v1/files${path}`).set(service.asModelsToken(newId(), userId));
    const { body } = await files('post').field('purpose', 'batch').attach('file', Buffer.from('{}'), 'requests.jsonl');
    const holdId = await placeHold({ user_id: userId });
    const refused = await files('delete', `/${body.id}`);
    expect([refused.status, refused.body.error.code, refused.text.includes(holdId)]).toEqual([409, 'on_hold', false]);
    expect((await files('get', `/${body.id}/content`)).status).toBe(200);
    await report('end', holdId, { user_id: userId });
    expect((await files('delete', `/${body.id}`)).status).toBe(200);
    expect((await files('get', `/${body.id}`)).status).toBe(404);
  });

  // The ways in which a conversation is deleted, with a hold on the user or on the bot.
  const subjects: readonly [string, (userId: string) => object][] = [
    ['a user', (user_id) => ({ user_id })],
    ['a bot', () => ({ bot_id: botId })],
  ];
  describe.each(subjects)('by a hold on %s', (_, subjectOf) => {
    it('are not deleted by their user until the hold ends', async () => {
      const userId = newId();
      const place = await withBot(userId);
      const holdId = await placeHold(subjectOf(userId));
      const path = `/conversation/${place.conversation_id}`;
      const refused = await call(userId, 'delete', path);
      expect([refused.status, refused.body.code, refused.text.includes(holdId)]).toEqual([409, 'on_hold', false]);
      const named = await call(userId, 'delete', path, 'Admin');
      expect([named.status, named.text.includes(holdId)]).toEqual([409, true]);
      expect((await call(newId(), 'delete', path)).status).toBe(404);
      expect(await left(place)).toBe(2);
      await report('end', holdId, subjectOf(userId));
      expect((await call(userId, 'delete', path)).status).toBe(200);
      expect(await left(place)).toBe(0);
    });

    it('are kept from retention rules and from the expiry of temporary ones until the hold ends', async () => {
      const userId = newId();
      bots.owner = userId;
      const places = [await withBot(userId), await talk(userId, { bot_id: botId, temporary: true })];
      const other = await talk(newId());
      const holdId = await placeHold(subjectOf(userId));
      const ruleId = await rule();
      service.later(3 * DAYS);
      const rounds = async () => {
        await buses.rounds.deleteInactive();
        await buses.temporary.delete();
        return Promise.all([...places, other].map(left));
      };
      expect(await rounds()).toEqual([2, 2, 0]);
      await report('end', holdId, subjectOf(userId));
      expect(await rounds()).toEqual([0, 0, 0]);
      await call('root', 'delete', `/admin/retention/${ruleId}`, 'Admin');
    });
  });

  it('stop the deletion of all conversations of the user before it begins', async () => {
    const userId = newId();
    const places = [await talk(userId), await talk(userId)];
    const holdId = await placeHold({ user_id: userId });
    const refused = await call(userId, 'delete', '/conversations');
    expect([refused.status, refused.body.code, refused.text.includes(holdId)]).toEqual([409, 'on_hold', false]);
    expect((await call(userId, 'delete', '/conversations', 'Admin')).text).toContain(holdId);
    expect(await Promise.all(places.map(left))).toEqual([2, 2]);
    await report('end', holdId, { user_id: userId });
    const { body } = await call(userId, 'delete', '/conversations');
    expect(body).toMatchObject({ removed: { conversations: 2, messages: 4 }, on_hold: 0, is_complete: true });
  });

  it('with a bot are kept when all others of the user are deleted', async () => {
    const userId = newId();
    const kept: Place[] = [];
    const others: Place[] = [];
    // The conversations on hold are the newest and the oldest, more than one page of them.
    for (let index = 0; index < 5; index++) kept.push(await withBot(userId));
    for (let index = 0; index < 3; index++) others.push(await talk(userId));
    for (let index = 0; index < 9; index++) kept.push(await withBot(userId));
    const holdId = await placeHold({ bot_id: botId });
    const { status, body } = await call(userId, 'delete', '/conversations');
    expect([status, body]).toEqual([200, expect.objectContaining({ on_hold: 14, is_complete: true })]);
    expect(body.removed).toEqual({ conversations: 3, messages: 6 });
    expect(await Promise.all(kept.map(left))).toEqual(kept.map(() => 2));
    await report('end', holdId, { bot_id: botId });
    expect((await call(userId, 'delete', '/conversations')).body).toMatchObject({ removed: { conversations: 14 }, on_hold: 0 });
  });

  it('of a published API are not deleted by programs, and are removed after the hold if the publication was removed', async () => {
    const userId = newId();
    bots.owner = userId;
    const deployment = newId();
    const api = { apiId: deployment.toLowerCase(), botId, keyId: newId() };
    const program = (method: Method, path: string) =>
      request(service.server)[method](`/published/${api.apiId}/api${path}`).set(service.asApi(userId, api));
    const { body: place } = await program('post', '/conversation').send(text);
    const path = `/conversation/${place.conversation_id}`;
    await waitFor(async () => (await program('get', `${path}/${place.message_id}`)).status === 200, { what: 'the reply' });
    const holdId = await placeHold({ user_id: userId });
    const refused = await program('delete', path);
    expect([refused.status, refused.body.code, refused.text.includes(holdId)]).toEqual([409, 'on_hold', false]);

    const removed = { bot_id: botId, owner_user_id: userId, deployment_id: deployment, because: 'requested' };
    await service.hear(PublicationRemoved.type, botId, removed);
    const postponed = async () => (await buses.queries.execute(new PostponedRemovals(null, 10))).length;
    await waitFor(async () => (await postponed()) === 1, { what: 'the removal to be postponed' });
    await buses.removed.deletePostponed();
    expect([await left(place), await postponed()]).toEqual([2, 1]);
    // A request that was running when the publication was removed starts another one, which is not found.
    expect((await program('post', '/conversation').send(text)).body.code).toBe('not_published');
    const own = () => buses.queries.execute(new ConversationsOwnedBy(`${userId}/${api.apiId}`, null));
    expect(await own()).toHaveLength(2);

    await report('end', holdId, { user_id: userId });
    await buses.removed.deletePostponed();
    expect([await left(place), await postponed(), await own()]).toEqual([0, 0, []]);
  });

  it('of a removed publication are kept individually by a hold on their bot', async () => {
    const userId = newId();
    bots.owner = userId;
    const api = { apiId: newId().toLowerCase(), botId, keyId: newId() };
    const sending = request(service.server).post(`/published/${api.apiId}/api/conversation`).set(service.asApi(userId, api));
    const { body: place } = await sending.send(text);
    const holdId = await placeHold({ bot_id: botId });
    const holder = { userId, apiId: api.apiId };
    await buses.removed.deleteConversationsOf(holder);
    expect(await left(place)).toBe(2);
    await report('end', holdId, { bot_id: botId });
    await buses.removed.deletePostponed();
    expect(await left(place)).toBe(0);
  });

  it('are erased with their user: the erasure began before the hold', async () => {
    const userId = newId();
    const place = await talk(userId);
    await placeHold({ user_id: userId });
    const erasure = request(service.server).post('/internal/erasures').set(service.asService('identity'));
    expect((await erasure.send({ user_id: userId })).body.removed).toMatchObject({ conversations: 1, messages: 2 });
    expect(await left(place)).toBe(0);
  });

  it('on a user keep the projects of the user, until they end', async () => {
    const userId = newId();
    const created = await call(userId, 'post', '/projects').send({ title: 'Marmalade', instruction: 'Be brief.' });
    const path = `/projects/${created.body.project_id}`;
    const holdId = await placeHold({ user_id: userId });
    const refused = await call(userId, 'delete', path);
    expect([refused.status, refused.body.code, refused.text.includes(holdId)]).toEqual([409, 'on_hold', false]);
    expect((await call(userId, 'delete', path, 'Admin')).text).toContain(holdId);
    expect((await call(userId, 'get', path)).body).toMatchObject({ title: 'Marmalade', instruction: 'Be brief.' });
    await report('end', holdId, { user_id: userId });
    expect((await call(userId, 'delete', path)).status).toBe(204);
  });

  it('have no effect on the bot of a project, which its user must be able to use', async () => {
    const userId = newId();
    bots.owner = userId;
    const project = { title: 'Marmalade', bot_id: botId };
    expect((await call(userId, 'post', '/projects').send(project)).body.bot_id).toBe(botId);
    bots.owner = newId();
    expect((await call(userId, 'post', '/projects').send(project)).body.code).toBe('bot_not_found');
  });
});
