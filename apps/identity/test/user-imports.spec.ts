import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { newId } from '@parlance/event-store';
import request from 'supertest';
import { type IdentityUnderTest, identityUnderTest, password } from './people.ts';

describe('users of another product', () => {
  let identity: IdentityUnderTest;
  const [ann, ben] = [newId(), newId()];
  const post = async (path: string, body: object) =>
    request(identity.server).post(`/internal/imports/${path}`).set(identity.asService('parlance')).send(body);
  const person = (user_id: string, name: string, groups: string[] = []) => {
    return { user_id, email: `${name}@example.org`, first_name: name, last_name: 'Example', groups, enabled: true };
  };
  const take = async (...users: object[]) => (await post('users', { users })).body.results;

  beforeAll(async () => {
    identity = await identityUnderTest();
    await post('groups', { groups: [{ name: 'Sales' }] });
  });
  afterAll(() => identity.stop());

  it('are created with their groups, and a second import changes nothing', async () => {
    expect(await take(person(ann, 'ann', ['Sales', 'Unheard']))).toEqual([{ status: 'created', user_id: ann }]);
    expect(await take(person(ann, 'ann'))).toEqual([{ status: 'unchanged', user_id: ann }]);
    const { body } = await identity.ask('get', `/admin/users/${ann}`, identity.admin);
    expect(body).toMatchObject({ email: 'ann@example.org', groups: ['Sales'], enabled: true });
  });
  it('have no password', async () => {
    expect((await identity.ask('post', '/auth/sign-in', null, { email: 'ann@example.org', password })).status).toBe(401);
  });
  it('are matched with the account that has their address', async () => {
    const user = { email: 'ben@example.org', first_name: 'B', last_name: 'B', password };
    const { body } = await identity.ask('post', '/admin/users', identity.admin, user);
    expect(await take(person(ben, 'Ben'))).toEqual([{ status: 'matched', user_id: body.user_id }]);
  });
  it('are not created again after they were erased', async () => {
    await identity.ask('delete', `/admin/users/${ann}`, identity.admin);
    expect(await take(person(ann, 'ann'))).toMatchObject([{ status: 'refused', code: 'user_erased' }]);
  });
  it('are accepted only from services', async () => {
    expect((await request(identity.server).post('/internal/imports/users').set(identity.as(ann, 'Admin')).send({})).status).toBe(404);
  });
});
