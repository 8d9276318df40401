import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import request from 'supertest';
import { type IdentityUnderTest, identityUnderTest, password } from './people.ts';

describe('users for other services', () => {
  let identity: IdentityUnderTest;
  const ids: Record<string, string> = {};
  const post = async (path: string, body: object) =>
    (await request(identity.server).post(`/internal/users/${path}`).set(identity.asService('analytics')).send(body)).body;
  const select = async (selection: object) => {
    const { user_ids } = await post('select', { sort: 'user_id', order: 'asc', ...selection });
    return (user_ids as string[]).map((id) => Object.keys(ids).find((name) => ids[name] === id));
  };

  beforeAll(async () => {
    identity = await identityUnderTest();
    ids['root'] = identity.admin.userId;
    for (const name of ['zoe', 'ann', 'ben']) {
      const groups = name === 'ben' ? [] : ['PublishAllowed'];
      const user = { email: `${name}@example.org`, first_name: name, last_name: 'Example', groups, password };
      ids[name] = (await identity.ask('post', '/admin/users', identity.admin, user)).body.user_id;
    }
  });
  afterAll(() => identity.stop());

  it('are selected by prefix, group and state', async () => {
    expect(await select({ prefix: 'AN' })).toEqual(['ann']);
    expect(await select({ group: 'PublishAllowed' })).toEqual(['zoe', 'ann']);
    await identity.ask('patch', `/admin/users/${ids['ann']}`, identity.admin, { enabled: false });
    expect(await select({ enabled: false })).toEqual(['ann']);
    expect(await select({ group: 'PublishAllowed', enabled: true })).toEqual(['zoe']);
  });
  it('are selected page by page', async () => {
    expect(await select({ limit: 2 })).toEqual(['root', 'zoe']);
    expect(await select({ limit: 2, after: ids['zoe'] })).toEqual(['ann', 'ben']);
    expect(await select({ limit: 2, after: ids['ben'] })).toEqual([]);
    expect(await select({ order: 'desc', limit: 1, after: ids['ben'] })).toEqual(['ann']);
  });
  it('are sorted in both directions', async () => {
    expect(await select({ sort: 'email' })).toEqual(['ann', 'ben', 'root', 'zoe']);
    expect(await select({ sort: 'email', order: 'desc' })).toEqual(['zoe', 'root', 'ben', 'ann']);
  });
  it('are sorted by the last sign-in as soon as it is answered, and without one by their IDs', async () => {
    await identity.ask('post', '/auth/sign-in', null, { email: 'ben@example.org', password });
    expect(await select({ sort: 'last_sign_in_time' })).toEqual(['zoe', 'ann', 'root', 'ben']);
  });
  it('are returned with all fields, without erased users', async () => {
    await identity.ask('delete', `/admin/users/${ids['zoe']}`, identity.admin);
    const { users } = await post('persons', { user_ids: [ids['zoe'], ids['ben'], '01K0000000000000000000000Z'] });
    expect(users).toEqual([
      expect.objectContaining({ user_id: ids['ben'], email: 'ben@example.org', last_sign_in_time: expect.any(Number) }),
    ]);
    expect(await select({})).toEqual(['root', 'ann', 'ben']);
  });
  it('include the ID of the Admin that the first start created', async () => {
    const firstAdminFor = (headers: Record<string, string>) => request(identity.server).get('/internal/users/first-admin').set(headers);
    expect((await firstAdminFor(identity.asService('bots'))).body).toEqual({ user_id: ids['root'] });
    expect((await firstAdminFor(identity.as('root', 'Admin'))).status).toBe(404);
  });
  it('are available only to services', async () => {
    const answer = await request(identity.server).post('/internal/users/select').set(identity.as('root', 'Admin')).send({});
    expect(answer.status).toBe(404);
  });
});
