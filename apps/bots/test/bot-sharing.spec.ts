import { afterAll, describe, expect, it } from '@jest/globals';
import { newId } from '@parlance/event-store';
import { BotsUnderTest } from './bots-under-test.ts';

const bots = await BotsUnderTest.start();
afterAll(() => bots.stop());

const [ben, cat] = [newId(), newId()];
const ann = () => bots.creator('ann');
const admin = () => bots.service.as('root', 'Admin');
const share = (id: string, body: object, headers = ann()) => bots.ask('PATCH', `/bot/${id}/visibility`, headers, body);
const statusFor = async (id: string, headers = bots.service.as(ben)) => (await bots.get(`/bot/${id}`, headers)).status;
const many = (length: number) => Array.from({ length }, () => newId());

describe('sharing a bot', () => {
  it('shows it to listed users and groups only', async () => {
    const { id } = await bots.create('ann');
    const { status, body, headers } = await share(id, {
      target_shared_scope: 'partial',
      target_allowed_user_ids: [ben],
      target_allowed_group_ids: ['team'],
    });
    expect([status, headers['etag']]).toEqual([200, '"2"']);
    const lists = { allowed_user_ids: [ben], allowed_group_ids: ['team'], editor_user_ids: [], editor_group_ids: [] };
    expect(body).toMatchObject({ shared_scope: 'partial', status: 'shared', version: 2, ...lists });
    const statuses = [await statusFor(id), await statusFor(id, bots.service.as(cat)), await statusFor(id, bots.service.as(cat, 'team'))];
    expect(statuses).toEqual([200, 404, 200]);
  });
  it('changes the status with the scope', async () => {
    const { id } = await bots.create('ann');
    const statuses: string[] = [];
    for (const target_shared_scope of ['all', 'partial', 'private', 'all', 'private'])
      statuses.push((await share(id, { target_shared_scope })).body.status);
    expect(statuses).toEqual(['shared', 'shared', 'unshared', 'shared', 'unshared']);
  });
  it('hides it at once when it is made private', async () => {
    const { id } = await bots.create('ann');
    await share(id, { target_shared_scope: 'all' });
    expect(await statusFor(id)).toBe(200);
    await share(id, { target_shared_scope: 'private' });
    expect([await statusFor(id), await statusFor(id, admin())]).toEqual([404, 404]);
  });
  it('keeps absent lists, and forgets them when the bot is made private', async () => {
    const { id } = await bots.create('ann');
    const lists = { target_allowed_user_ids: [ben], target_editor_user_ids: [ben] };
    await share(id, { target_shared_scope: 'partial', ...lists });
    expect((await share(id, { target_shared_scope: 'all' })).body).toMatchObject({ allowed_user_ids: [ben], editor_user_ids: [ben] });
    await share(id, { target_shared_scope: 'private' });
    expect((await share(id, { target_shared_scope: 'partial' })).body).toMatchObject({ allowed_user_ids: [], editor_user_ids: [] });
  });
  it('does nothing when repeated', async () => {
    const { id } = await bots.create('ann');
    await share(id, { target_shared_scope: 'all' });
    expect((await share(id, { target_shared_scope: 'all' })).body.version).toBe(2);
  });
  it('is refused if the client names another version than the current one', async () => {
    const { id } = await bots.create('ann');
    expect((await share(id, { target_shared_scope: 'all' }, { ...ann(), 'if-match': '"2"' })).body.code).toBe('version_stale');
    expect((await share(id, { target_shared_scope: 'all' }, { ...ann(), 'if-match': '"1"' })).status).toBe(200);
  });
  it('lets an administrator make a shared bot private, and confirms it', async () => {
    const { id } = await bots.create('ann');
    await share(id, { target_shared_scope: 'all' });
    const { status, body } = await share(id, { target_shared_scope: 'private' }, admin());
    expect([status, body.shared_scope, body.version]).toEqual([200, 'private', 3]);
    expect([await statusFor(id, admin()), await statusFor(id, ann())]).toEqual([404, 200]);
  });
  it.each([
    ['no scope', {}, 'target_shared_scope'],
    ['an unknown scope', { target_shared_scope: 'some' }, 'target_shared_scope'],
    ['a user ID that is not a ULID', { target_shared_scope: 'all', target_allowed_user_ids: ['ben'] }, 'target_allowed_user_ids'],
    ['a user twice', { target_shared_scope: 'all', target_allowed_user_ids: [ben, ben] }, 'target_allowed_user_ids'],
    ['201 users', { target_shared_scope: 'all', target_allowed_user_ids: many(201) }, 'target_allowed_user_ids'],
    ['101 groups', { target_shared_scope: 'all', target_allowed_group_ids: many(101) }, 'target_allowed_group_ids'],
    ['an empty name of a group', { target_shared_scope: 'all', target_allowed_group_ids: [''] }, 'target_allowed_group_ids'],
    ['lists of a private bot', { target_shared_scope: 'private', target_allowed_user_ids: [ben] }, 'target_allowed_user_ids'],
    ['an unknown field', { target_shared_scope: 'all', scope: 'all' }, 'scope'],
  ])('refuses %s', async (_, body, field) => {
    const { id } = await bots.create('ann');
    const answer = await share(id, body);
    expect([answer.status, answer.body.errors[0].path]).toEqual([400, field]);
  });
  it('accepts 200 users and 100 groups', async () => {
    const { id } = await bots.create('ann');
    const lists = { target_allowed_user_ids: many(200), target_allowed_group_ids: many(100) };
    expect((await share(id, { target_shared_scope: 'partial', ...lists })).status).toBe(200);
  });
});

describe('editors of a bot', () => {
  const edited = async () => {
    const { id } = await bots.create('ann');
    const lists = { target_allowed_user_ids: [ben, cat], target_allowed_group_ids: ['team'] };
    await share(id, { target_shared_scope: 'partial', ...lists, target_editor_user_ids: [ben], target_editor_group_ids: ['team'] });
    return id;
  };
  it.each([
    ['users', { target_allowed_user_ids: [ben], target_editor_user_ids: [cat] }],
    ['groups', { target_allowed_group_ids: ['team'], target_editor_group_ids: ['other'] }],
  ])('must be a subset of the allowed %s', async (_, lists) => {
    const { id } = await bots.create('ann');
    for (const target_shared_scope of ['partial', 'all'])
      expect((await share(id, { target_shared_scope, ...lists })).body).toMatchObject({ status: 400, code: 'editor_not_listed' });
  });
  it.each([
    ['a user', () => bots.service.as(ben)],
    ['a member of a group', () => bots.service.as(newId(), 'team')],
  ])('may change the configuration, but not share, delete or restore: %s', async (_, headers) => {
    const id = await edited();
    expect((await bots.ask('PATCH', `/bot/${id}`, headers(), { title: 'Map' })).status).toBe(200);
    expect((await bots.get(`/bot/private/${id}`, headers())).body).toMatchObject({ title: 'Map', editable: true, owned: false });
    const refused = [
      await share(id, { target_shared_scope: 'all' }, headers()),
      await bots.ask('DELETE', `/bot/${id}`, headers()),
      await bots.ask('POST', `/bot/${id}/restore`, headers(), { version: 1 }),
      await bots.get(`/bot/${id}/history`, headers()),
    ];
    expect(refused.map(({ body }) => body.code)).toEqual(['not_owner', 'not_owner', 'not_owner', 'not_owner']);
  });
  it('see who the bot is shared with, and other users do not', async () => {
    const id = await edited();
    const seen = async (userId: string) => (await bots.get(`/bot/${id}`, bots.service.as(userId))).body;
    expect(await seen(ben)).toMatchObject({ allowed_user_ids: [ben, cat], editor_group_ids: ['team'] });
    expect(Object.keys(await seen(cat)).filter((name) => /allowed|editor_/.test(name))).toEqual([]);
  });
  it('can also edit a public bot', async () => {
    const id = await edited();
    await share(id, { target_shared_scope: 'all' });
    expect((await bots.ask('PATCH', `/bot/${id}`, bots.service.as(ben), { title: 'Map' })).status).toBe(200);
    expect((await bots.ask('PATCH', `/bot/${id}`, bots.service.as(cat), { title: 'Map' })).body.code).toBe('not_editor');
  });
  it('lose their rights when they are removed', async () => {
    const id = await edited();
    await share(id, { target_shared_scope: 'partial', target_editor_user_ids: [] });
    expect((await bots.ask('PATCH', `/bot/${id}`, bots.service.as(ben), { title: 'Map' })).body.code).toBe('not_editor');
  });
});
