import { afterAll, describe, expect, it } from '@jest/globals';
import { waitFor } from '@parlance/testing';
import { claimsOf, identityUnderTest, password } from './people.ts';

const identity = await identityUnderTest();
afterAll(() => identity.stop());

let createdUsers = 0;
const create = async (fields: object = {}) => {
  const body = { email: `user${++createdUsers}@example.org`, first_name: 'Ben', last_name: 'Baker', password, ...fields };
  return identity.ask('post', '/admin/users', identity.admin, body);
};

describe('groups', () => {
  it('are created, joined, found, left and deleted', async () => {
    const { body: user } = await create();
    expect((await identity.asAdmin('post', '/admin/groups', { name: 'Ärzte' })).status).toBe(201);
    expect((await identity.asAdmin('post', '/admin/groups', { name: 'ÄRZTE' })).body.code).toBe('group_exists');
    const group = encodeURIComponent('Ärzte');
    expect((await identity.asAdmin('put', `/admin/users/${user.user_id}/groups/${group}`)).body.groups).toContain('Ärzte');
    const found = await identity.ask('get', `/user/group/search?prefix=${encodeURIComponent('är')}`, identity.admin);
    expect(found.body).toEqual({ groups: [expect.objectContaining({ name: 'Ärzte', built_in: false })], next_token: null });
    expect((await identity.asAdmin('get', `/admin/groups/${group}`)).body).toEqual(found.body.groups[0]);
    expect(claimsOf((await identity.signIn(user.email)).body.access_token)['groups']).toEqual(['CreatingBotAllowed', 'Ärzte']);
    expect((await identity.asAdmin('delete', `/admin/groups/${group}`)).status).toBe(204);
    const gone = await identity.asAdmin('get', `/admin/groups/${group}`);
    expect([gone.status, gone.body.code]).toEqual([404, 'group_not_found']);
    await waitFor(async () => (await identity.asAdmin('get', `/admin/users/${user.user_id}`)).body.groups.length === 1);
    expect((await identity.asAdmin('put', `/admin/users/${user.user_id}/groups/${group}`)).body.code).toBe('group_not_found');
    await waitFor(async () => (await identity.asAdmin('post', '/admin/groups', { name: 'Ärzte' })).status === 201);
    expect((await identity.asAdmin('get', `/admin/users/${user.user_id}`)).body.groups).toEqual(['CreatingBotAllowed']);
    await identity.asAdmin('delete', `/admin/groups/${group}`);
  });
  it('have the same name in any encoding of an accent', async () => {
    const { body: user } = await create();
    const [one, other] = ['A\u0308pfel', '\u00c4pfel'];
    expect((await identity.asAdmin('post', '/admin/groups', { name: one })).body.name).toBe(other);
    expect((await identity.asAdmin('post', '/admin/groups', { name: other })).body.code).toBe('group_exists');
    expect((await identity.asAdmin('get', `/admin/groups/${encodeURIComponent(one)}`)).body.name).toBe(other);
    const path = `/admin/users/${user.user_id}/groups/${encodeURIComponent(one)}`;
    expect((await identity.asAdmin('put', path)).body.groups).toEqual(['CreatingBotAllowed', other]);
    expect((await identity.asAdmin('delete', path)).status).toBe(204);
    expect((await create({ groups: [one] })).body.groups).toEqual([other]);
    expect((await identity.asAdmin('delete', `/admin/groups/${encodeURIComponent(one)}`)).status).toBe(204);
  });
  it.each(['PublishAllowed', 'Admin'])('are joined and left only at the version that the administrator has seen: %s', async (group) => {
    const { body: user, headers } = await create();
    const path = `/admin/users/${user.user_id}/groups/${group}`;
    const joined = await identity.asAdmin('put', path, undefined, { 'if-match': headers['etag'] });
    expect(joined.status).toBe(200);
    for (const method of ['put', 'delete'] as const) {
      const stale = await identity.asAdmin(method, path, undefined, { 'if-match': headers['etag'] });
      expect([stale.status, stale.body.code]).toEqual([412, 'version_stale']);
    }
    expect((await identity.asAdmin('delete', path, undefined, { 'if-match': joined.headers['etag'] })).status).toBe(204);
  });
  it('are in the next token, not in the current one', async () => {
    const { body: user } = await create();
    const { refresh_token } = (await identity.signIn(user.email)).body;
    await identity.asAdmin('put', `/admin/users/${user.user_id}/groups/PublishAllowed`);
    const refreshed = await identity.ask('post', '/auth/refresh', null, { refresh_token });
    expect(claimsOf(refreshed.body.access_token)['groups']).toEqual(['CreatingBotAllowed', 'PublishAllowed']);
  });
  it('are listed by name, with the built-in ones, only for administrators', async () => {
    expect((await identity.asAdmin('get', '/admin/groups/PublishAllowed')).body).toEqual({
      name: 'PublishAllowed',
      built_in: true,
      create_time: null,
    });
    expect((await identity.asAdmin('get', '/admin/groups/publishallowed')).status).toBe(404);
    const refused = await identity.ask('get', '/admin/groups/PublishAllowed', { userId: 'ann', groups: ['PublishAllowed'] });
    expect([refused.status, refused.body.code]).toEqual([403, 'group_required']);
  });
  it('are listed in pages', async () => {
    for (const name of ['page 1', 'page 2']) await identity.asAdmin('post', '/admin/groups', { name });
    const names: string[] = [];
    for (let next: string | null = ''; next !== null;) {
      const { body } = await identity.asAdmin('get', `/admin/groups?limit=2${next && `&next_token=${next}`}`);
      names.push(...body.groups.map((each: { name: string }) => each.name));
      next = body.next_token;
    }
    expect(names).toEqual(['Admin', 'CreatingBotAllowed', 'PublishAllowed', 'page 1', 'page 2']);
  });
  it('are listed in CSV', async () => {
    const { status, headers, text } = await identity.asAdmin('get', '/admin/groups', undefined, { accept: 'text/csv' });
    expect([status, headers['content-type']]).toEqual([200, 'text/csv; charset=utf-8']);
    const [head, ...lines] = text.trimEnd().split('\r\n');
    expect([head, lines[0]]).toEqual(['name,built_in,create_time', 'Admin,true,']);
    expect(lines.slice(3)).toEqual([expect.stringMatching(/^page 1,false,\d+$/), expect.stringMatching(/^page 2,false,\d+$/)]);
  });
  it.each([' red', 'red ', 'a,b', '', 'a\tb', 'x'.repeat(101)])('cannot have the name %j', async (name) =>
    expect((await identity.asAdmin('post', '/admin/groups', { name })).status).toBe(400),
  );
});
