import { afterAll, describe, expect, it } from '@jest/globals';
import { claimsOf, identityUnderTest, password } from './people.ts';

const identity = await identityUnderTest();
afterAll(() => identity.stop());

const FIELDS = ['create_time', 'email', 'email_verified', 'enabled', 'first_name', 'groups', 'last_name', 'last_sign_in_time', 'user_id'];

let createdUsers = 0;
const create = async (fields: object = {}) => {
  const body = { email: `user${++createdUsers}@example.org`, first_name: 'Ben', last_name: 'Baker', password, ...fields };
  return identity.ask('post', '/admin/users', identity.admin, body);
};

describe('creating users', () => {
  it('is allowed only for administrators', async () => {
    const { body } = await identity.ask('post', '/admin/users', { userId: 'ann', groups: ['PublishAllowed'] }, {});
    expect([body.status, body.code]).toEqual([403, 'group_required']);
  });
  it('shows a temporary password once, which has to be changed', async () => {
    const { status, body } = await create({ password: undefined });
    expect(status).toBe(201);
    expect(body.groups).toEqual(['CreatingBotAllowed']);
    const signedIn = await identity.signIn(body.email, body.temporary_password);
    expect(signedIn.body.password_change_required).toBe(true);
    expect(claimsOf(signedIn.body.access_token)['pcr']).toBe(true);
    const changed = await identity.ask(
      'post',
      '/auth/password',
      { userId: body.user_id },
      { current_password: body.temporary_password, new_password: 'one of my own' },
    );
    expect(changed.body.password_change_required).toBe(false);
    expect(claimsOf(changed.body.access_token)['pcr']).toBeUndefined();
    expect((await identity.asAdmin('get', `/admin/users/${body.user_id}`)).body.temporary_password).toBeUndefined();
  });
  it('answers only with the documented fields, without the language of mails, which only the user sees', async () => {
    const { body } = await create();
    const path = `/admin/users/${body.user_id}`;
    const answers = [body, (await identity.asAdmin('get', path)).body, (await identity.asAdmin('patch', path, { first_name: 'Bo' })).body];
    for (const answer of answers) expect(Object.keys(answer).toSorted()).toEqual(FIELDS);
  });
  it.each<[string, object, number, string]>([
    ['an address in use', { email: 'user1@example.org' }, 409, 'email_taken'],
    ['an unknown group', { groups: ['red'] }, 400, 'group_unknown'],
    ['no address', { email: 'nobody' }, 400, 'invalid_body'],
  ])('refuses %s', async (_, fields, status, code) => {
    const { body } = await create(fields);
    expect([body.status, body.code]).toEqual([status, code]);
  });
});

describe('changing a user', () => {
  it('renames the user at the version that the administrator has seen', async () => {
    const { body } = await create();
    const path = `/admin/users/${body.user_id}`;
    const { etag } = (await identity.asAdmin('get', path)).headers;
    const renamed = await identity.asAdmin('patch', path, { first_name: 'Benedict' }, { 'if-match': etag });
    expect([renamed.status, renamed.body.first_name, renamed.body.last_name]).toEqual([200, 'Benedict', 'Baker']);
    expect(renamed.headers['etag']).not.toBe(etag);
    const stale = await identity.asAdmin('patch', path, { first_name: 'Bo' }, { 'if-match': etag });
    expect([stale.status, stale.body.code]).toEqual([412, 'version_stale']);
    expect((await identity.asAdmin('delete', path, undefined, { 'if-match': etag })).status).toBe(412);
    const same = await identity.asAdmin('patch', path, { first_name: 'Benedict' });
    expect(same.headers['etag']).toBe(renamed.headers['etag']);
  });
  it('starts from the version in the answer to the creation', async () => {
    const { body, headers } = await create();
    const path = `/admin/users/${body.user_id}`;
    expect(headers['etag']).toBe((await identity.asAdmin('get', path)).headers['etag']);
    expect((await identity.asAdmin('patch', path, { first_name: 'Bo' }, { 'if-match': headers['etag'] })).status).toBe(200);
  });
  it('accepts a name whose characters are drawn from several code points, but none without visible characters', async () => {
    const { body } = await create();
    const family = '👩\u200d👩\u200d👧';
    const renamed = await identity.asAdmin('patch', `/admin/users/${body.user_id}`, { first_name: family });
    expect([renamed.status, renamed.body.first_name]).toEqual([200, family]);
    expect((await identity.ask('get', `/user/${body.user_id}`, { userId: 'ann' })).body.first_name).toBe(family);
    for (const first_name of ['\u200d', '\u3164', 'A\nB'])
      expect((await identity.asAdmin('patch', `/admin/users/${body.user_id}`, { first_name })).body.code).toBe('invalid_body');
  });
  it('disables the user: all sessions end, and no other begins', async () => {
    const { body } = await create();
    const { refresh_token } = (await identity.signIn(body.email)).body;
    expect((await identity.asAdmin('patch', `/admin/users/${body.user_id}`, { enabled: false })).body.enabled).toBe(false);
    expect((await identity.ask('post', '/auth/refresh', null, { refresh_token })).status).toBe(401);
    expect((await identity.signIn(body.email)).body).toMatchObject({ status: 403, code: 'user_disabled' });
    expect((await identity.signIn(body.email, 'wrong')).body.code).toBe('wrong_credentials');
    await identity.asAdmin('patch', `/admin/users/${body.user_id}`, { enabled: true });
    expect((await identity.signIn(body.email)).status).toBe(200);
    expect((await identity.ask('post', '/auth/refresh', null, { refresh_token })).status).toBe(401);
  });
  it('leaves no session of a user who is disabled while signing in', async () => {
    const { body } = await create();
    for (let round = 0; round < 5; round++) {
      const attempts = [0, 1, 2].map(() => identity.signIn(body.email));
      await identity.asAdmin('patch', `/admin/users/${body.user_id}`, { enabled: false });
      const tokens = (await Promise.all(attempts)).flatMap((answer) => answer.body.refresh_token ?? []);
      for (const refresh_token of tokens) {
        expect((await identity.ask('post', '/auth/refresh', null, { refresh_token })).status).toBe(401);
      }
      await identity.asAdmin('patch', `/admin/users/${body.user_id}`, { enabled: true });
      expect((await identity.ask('get', '/auth/sessions', { userId: body.user_id })).body.sessions).toEqual([]);
    }
  });
  it('refuses an unknown user', async () => {
    for (const [method, path] of [
      ['patch', ''],
      ['delete', ''],
      ['put', '/groups/Admin'],
      ['post', '/password-reset'],
      ['delete', '/sessions'],
    ] as const) {
      const { body } = await identity.asAdmin(
        method,
        `/admin/users/01K0000000000000000000000Z${path}`,
        method === 'patch' ? {} : undefined,
      );
      expect([body.status, body.code]).toEqual([404, 'user_not_found']);
    }
  });
});

describe('the last enabled Admin', () => {
  it.each<[string, 'patch' | 'delete', string]>([
    ['disabled', 'patch', ''],
    ['erased', 'delete', ''],
    ['removed from the group', 'delete', '/groups/Admin'],
  ])('can not be %s', async (_, method, path) => {
    const { body } = await identity.asAdmin(
      method,
      `/admin/users/${identity.admin.userId}${path}`,
      method === 'patch' ? { enabled: false } : undefined,
    );
    expect([body.status, body.code]).toEqual([409, 'last_admin']);
  });
  it('may leave if there is another Admin', async () => {
    const { body: second } = await create({ groups: ['Admin'] });
    expect((await identity.asAdmin('patch', `/admin/users/${identity.admin.userId}`, { enabled: false })).status).toBe(200);
    const path = `/admin/users/${second.user_id}`;
    expect((await identity.asAdmin('patch', path, { enabled: false })).body.code).toBe('last_admin');
    expect((await identity.asAdmin('patch', `/admin/users/${identity.admin.userId}`, { enabled: true })).status).toBe(200);
    expect((await identity.asAdmin('delete', `${path}/groups/Admin`)).status).toBe(204);
  });
  it('stays, even if others leave at the same moment', async () => {
    const others = await Promise.all([1, 2, 3].map(async () => (await create({ groups: ['Admin'] })).body.user_id as string));
    const everybody = [identity.admin.userId, ...others];
    const outcomes = await Promise.all(everybody.map((userId) => identity.asAdmin('patch', `/admin/users/${userId}`, { enabled: false })));
    expect(outcomes.map(({ status }) => status).sort()).toEqual([200, 200, 200, 409]);
    for (const userId of everybody) await identity.asAdmin('patch', `/admin/users/${userId}`, { enabled: true });
    for (const userId of others) expect((await identity.asAdmin('delete', `/admin/users/${userId}/groups/Admin`)).status).toBe(204);
  });
});

describe('finding people', () => {
  const search = (prefix: string, more = '') =>
    identity.ask('get', `/user/search?prefix=${encodeURIComponent(prefix)}${more}`, { userId: 'ann', groups: ['CreatingBotAllowed'] });

  it('matches the beginning of address and names, and shows only names', async () => {
    const { body: user } = await create({ email: 'zoe.quist@example.org', first_name: 'Zoë', last_name: 'Quist' });
    for (const prefix of ['zoe.q', 'ZOË', 'qui']) {
      expect((await search(prefix)).body).toEqual({
        users: [{ user_id: user.user_id, first_name: 'Zoë', last_name: 'Quist' }],
        next_token: null,
      });
    }
    expect((await search('oe')).body.users).toEqual([]);
    await identity.asAdmin('patch', `/admin/users/${user.user_id}`, { last_name: 'Quandt' });
    expect([(await search('quist')).body.users.length, (await search('quandt')).body.users.length]).toEqual([0, 1]);
  });
  it('returns full pages', async () => {
    for (let n = 0; n < 5; n++) await create({ first_name: `Paging${n}` });
    const first = await search('paging', '&limit=2');
    const second = await search('paging', `&limit=2&next_token=${first.body.next_token}`);
    const third = await search('paging', `&limit=2&next_token=${second.body.next_token}`);
    expect([first, second, third].map((answer) => answer.body.users.length)).toEqual([2, 2, 1]);
    expect(third.body.next_token).toBeNull();
    expect((await search('pag', `&next_token=${first.body.next_token}`)).body.code).toBe('invalid_next_token');
  });
  it('requires the right to create bots', async () =>
    expect((await identity.ask('get', '/user/search?prefix=a', { userId: 'ann', groups: [] })).body.code).toBe('group_required'));
  it('shows all users the public fields', async () => {
    const { body: user } = await create();
    const { body } = await identity.ask('get', `/user/${user.user_id}`, { userId: 'ann' });
    expect(body).toEqual({ user_id: user.user_id, first_name: 'Ben', last_name: 'Baker' });
  });
});

describe('erasing a user', () => {
  it('leaves no user, and reports where data was removed', async () => {
    const { body: user } = await create({ email: 'gone@example.org', last_name: 'Vanisher' });
    const { refresh_token } = (await identity.signIn('gone@example.org')).body;
    const { status, body } = await identity.asAdmin('delete', `/admin/users/${user.user_id}`);
    expect(status).toBe(200);
    expect(body).toMatchObject({ user_id: user.user_id });
    expect(body.erased[0]).toEqual({
      service: 'identity',
      status: 'done',
      removed: { keys: 1, users: 1, sessions: 1, tokens: 0, linked_identities: 0 },
    });
    expect((await identity.asAdmin('get', `/admin/users/${user.user_id}`)).status).toBe(404);
    expect((await identity.asAdmin('delete', `/admin/users/${user.user_id}`)).status).toBe(404);
    expect((await identity.ask('post', '/auth/refresh', null, { refresh_token })).status).toBe(401);
    expect((await identity.signIn('gone@example.org')).body.code).toBe('wrong_credentials');
    const found = await identity.ask('get', '/user/search?prefix=vanisher', identity.admin);
    expect(found.body.users).toEqual([]);
  });
  it('makes the address available', async () => expect((await create({ email: 'gone@example.org' })).status).toBe(201));
});

describe('the choice of mails about notifications', () => {
  it('is null, and refused, without a mail server', async () => {
    const choose = (notification_mails: boolean) => identity.ask('patch', '/user/me', identity.admin, { notification_mails });
    expect((await identity.ask('get', '/user/me', identity.admin)).body.notification_mails).toBeNull();
    const refused = await choose(true);
    expect([refused.status, refused.body.code]).toEqual([403, 'mail_disabled']);
    expect((await choose(false)).status).toBe(200);
  });
});
