import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { EndSessionsThatAreOver } from '../src/policies/end-sessions-that-are-over.ts';
import { claimsOf, type IdentityUnderTest, password } from './people.ts';
import { type ScimClient, scimUnderTest } from './scim/scim-rig.ts';

let identity: IdentityUnderTest;
let scim: ScimClient;
beforeAll(async () => {
  // The policy is disabled, because sessions must end before the change is answered, not when this policy runs.
  jest.spyOn(EndSessionsThatAreOver.prototype, 'onPasswordChanged').mockResolvedValue();
  ({ identity, scim } = await scimUnderTest({ PARLANCE_AUTO_JOIN_USER_GROUPS: 'CreatingBotAllowed,PublishAllowed,Admin' }));
});
afterAll(async () => {
  await identity.stop();
  jest.restoreAllMocks();
});

const signUp = (email: string) => identity.ask('post', '/auth/sign-up', null, { email, password, first_name: 'A', last_name: 'B' });
const refresh = (refresh_token: string) => identity.ask('post', '/auth/refresh', null, { refresh_token });
const shown = async (userId: string) => (await identity.ask('get', `/admin/users/${userId}`, identity.admin)).body;
const idOf = async (email: string) =>
  (await scim.find('Users', `userName eq "${email}"`)).body.Resources.map(({ id }: { id: string }) => id)[0] as string;
const addTo = (group: string, userId: string) =>
  scim.operations(`/Groups/${group}`, { op: 'add', path: 'members', value: [{ value: userId }] });
const replacing = (externalId: string) => ({ op: 'replace', path: 'externalId', value: externalId });

describe('an account whose sign-up address may belong to another person', () => {
  it('invalidates the password and sessions of the sign-up when SCIM adopts it and makes it an Admin', async () => {
    const boss = 'boss@example.org';
    await signUp(boss);
    const before = (await identity.signIn(boss)).body;
    const userId = await idOf(boss);
    expect((await scim.operations(`/Users/${userId}`, replacing('boss-1'))).status).toBe(200);
    expect((await addTo('Admin', userId)).status).toBe(204);
    expect(await shown(userId)).toMatchObject({ email_verified: true, groups: ['CreatingBotAllowed', 'Admin'] });
    expect((await identity.signIn(boss)).body.code).toBe('wrong_credentials');
    expect((await refresh(before.refresh_token)).body.code).toBe('invalid_refresh_token');
    const sessions = await identity.ask('get', '/auth/sessions', { userId, sessionId: claimsOf(before.access_token).sid });
    expect(sessions.body.sessions).toEqual([]);
  });

  it.each<[string, (userId: string) => PromiseLike<{ status: number }>]>([
    ['a change', (userId) => scim.operations(`/Users/${userId}`, replacing('x-1'))],
    ['a PUT without an effective change', async (userId) => scim.ask('put', `/Users/${userId}`, await resourceOf(userId))],
    ['another name', (userId) => scim.operations(`/Users/${userId}`, { op: 'replace', path: 'name.givenName', value: 'Zoe' })],
    [
      'another address',
      (userId) => scim.operations(`/Users/${userId}`, { op: 'replace', path: 'userName', value: `${userId}@example.org` }),
    ],
    ['being enabled', (userId) => scim.operations(`/Users/${userId}`, { op: 'replace', path: 'active', value: true })],
    ['being disabled', (userId) => scim.operations(`/Users/${userId}`, { op: 'replace', path: 'active', value: false })],
    ['a built-in group with rights over others', (userId) => addTo('PublishAllowed', userId)],
    ['a group that gives no rights', (userId) => addTo('CreatingBotAllowed', userId)],
    [
      'the list of members of a group',
      async (userId) => {
        const { Resources } = (await scim.find('Groups', 'displayName eq "PublishAllowed"')).body;
        return scim.ask('put', '/Groups/PublishAllowed', {
          ...Resources[0],
          members: [...(Resources[0].members ?? []), { value: userId }],
        });
      },
    ],
    [
      'a change with a matching If-Match',
      async (userId) => {
        const etag = (await scim.ask('get', `/Users/${userId}`)).headers['etag'] as string;
        const Operations = [replacing('x-2'), { op: 'replace', path: 'name.familyName', value: 'Zed' }];
        return scim.ask('patch', `/Users/${userId}`, { Operations }, { 'if-match': etag });
      },
    ],
  ])('is adopted by %s', async (how, adopt) => {
    const email = `${how.replaceAll(' ', '-').toLowerCase()}@example.org`;
    const userId = (await signUp(email)).body.user_id;
    const before = (await identity.signIn(email)).body;
    expect(await shown(userId)).toMatchObject({ email_verified: false });
    expect((await adopt(userId)).status).toBeLessThan(300);
    expect(await shown(userId)).toMatchObject({ email_verified: true });
    expect((await identity.signIn(email)).body.code).toBe('wrong_credentials');
    expect((await refresh(before.refresh_token)).status).toBe(401);
  });

  it.each(['readingIt', 'aRefusedChange', 'aStaleChange'])('is not adopted by %s', async (how) => {
    const email = `${how.toLowerCase()}@example.org`;
    const userId = (await signUp(email)).body.user_id;
    const answers = {
      readingIt: () => scim.ask('get', `/Users/${userId}`),
      aRefusedChange: () => scim.operations(`/Users/${userId}`, { op: 'replace', path: 'userName', value: 'first@example.org' }),
      aStaleChange: () => scim.ask('patch', `/Users/${userId}`, { Operations: [replacing('x-3')] }, { 'if-match': '"77"' }),
    };
    expect((await answers[how as keyof typeof answers]()).status).toBe({ readingIt: 200, aRefusedChange: 409, aStaleChange: 412 }[how]);
    expect(await shown(userId)).toMatchObject({ email_verified: false });
    expect((await identity.signIn(email)).status).toBe(200);
  });

  it('is adopted once: a password set after the adoption stays', async () => {
    const email = 'adopted@example.org';
    const userId = (await signUp(email)).body.user_id;
    await addTo('CreatingBotAllowed', userId);
    const { reset_token } = (await identity.ask('post', `/admin/users/${userId}/password-reset`, identity.admin)).body;
    await identity.ask('post', '/auth/password-reset', null, { reset_token, new_password: 'one of my own' });
    await addTo('PublishAllowed', userId);
    expect((await identity.signIn(email, 'one of my own')).status).toBe(200);
  });

  it('joins Admin and PublishAllowed only when an Admin confirms it', async () => {
    const userId = (await signUp('unverified@example.org')).body.user_id;
    for (const group of ['Admin', 'PublishAllowed']) {
      const path = `/admin/users/${userId}/groups/${group}`;
      for (const query of ['', '?confirm_unverified=false']) {
        const refused = await identity.ask('put', `${path}${query}`, identity.admin);
        expect([refused.status, refused.body.code]).toEqual([409, 'email_unverified']);
        expect(refused.body.detail).toMatch(/^[A-Z].*\.$/);
      }
      const joined = await identity.ask('put', `${path}?confirm_unverified=true`, identity.admin);
      expect([joined.status, joined.body.groups.includes(group), joined.body.email_verified]).toEqual([200, true, false]);
      expect((await identity.ask('put', path, identity.admin)).status).toBe(200);
    }
    expect((await identity.ask('put', `/admin/users/${userId}/groups/CreatingBotAllowed`, identity.admin)).status).toBe(200);
  });

  it('does not join these groups by autoJoinUserGroups', async () => {
    expect((await signUp('hopeful@example.org')).body).toMatchObject({ email_verified: false, groups: ['CreatingBotAllowed'] });
  });
});

describe('an account that an Admin or SCIM created', () => {
  it('has a verified address, keeps its password, and joins all groups', async () => {
    const names = { first_name: 'A', last_name: 'B' };
    const groups = ['Admin', 'PublishAllowed'];
    const made = await identity.ask('post', '/admin/users', identity.admin, { email: 'made@example.org', ...names, password, groups });
    expect([made.status, made.body.email_verified, made.body.groups]).toEqual([201, true, groups]);
    await scim.operations(`/Users/${made.body.user_id}`, replacing('made-1'));
    expect((await identity.signIn('made@example.org')).status).toBe(200);
    const provisioned = await scim.ask('post', '/Users', { userName: 'provisioned@example.org', password });
    expect(await shown(provisioned.body.id)).toMatchObject({
      email_verified: true,
      groups: ['CreatingBotAllowed', 'PublishAllowed', 'Admin'],
    });
    expect((await identity.ask('get', '/user/me', identity.admin)).body.email_verified).toBe(true);
  });
});

async function resourceOf(userId: string): Promise<object> {
  return (await scim.ask('get', `/Users/${userId}`)).body;
}

describe('SCIM that is limited to e-mail domains', () => {
  let limited: Awaited<ReturnType<typeof scimUnderTest>>;
  beforeAll(async () => {
    limited = await scimUnderTest({ PARLANCE_SCIM_EMAIL_DOMAINS: 'corp.example' });
  });
  afterAll(() => limited.identity.stop());

  it('creates, changes, erases and adds only users of those domains', async () => {
    const { identity: limitedIdentity, scim: client } = limited;
    const managedId = (await client.ask('post', '/Users', { userName: 'Ann@CORP.example' })).body.id as string;
    const { body: other } = await limitedIdentity.ask('post', '/auth/sign-up', null, {
      email: 'ann@example.org',
      password,
      first_name: 'A',
      last_name: 'B',
    });
    const unmanagedId = other.user_id as string;
    const members = (userId: string) => [{ value: userId }];
    const refused = [
      await client.ask('post', '/Users', { userName: 'ben@example.org' }),
      await client.ask('post', '/Users', { userName: 'ben@sub.corp.example' }),
      await client.operations(`/Users/${managedId}`, { op: 'replace', path: 'userName', value: 'ann2@example.org' }),
      await client.operations(`/Users/${unmanagedId}`, replacing('x')),
      await client.operations(`/Users/${unmanagedId}`, { op: 'replace', path: 'userName', value: 'ann3@corp.example' }),
      await client.ask('put', `/Users/${unmanagedId}`, { userName: 'ann@example.org' }),
      await client.ask('delete', `/Users/${unmanagedId}`),
      await client.operations('/Groups/Admin', { op: 'add', path: 'members', value: members(unmanagedId) }),
      await client.ask('put', '/Groups/PublishAllowed', { displayName: 'PublishAllowed', members: members(unmanagedId) }),
      await client.ask('post', '/Groups', { displayName: 'Mixed', members: [...members(managedId), ...members(unmanagedId)] }),
    ];
    expect(refused.map(({ status }) => status)).toEqual(refused.map(() => 403));
    expect((await limitedIdentity.ask('get', `/admin/users/${unmanagedId}`, limitedIdentity.admin)).body).toMatchObject({
      email_verified: false,
      groups: ['CreatingBotAllowed'],
    });
    expect((await limitedIdentity.ask('post', '/auth/sign-in', null, { email: 'ann@example.org', password })).status).toBe(200);
    const fine = [
      await client.operations(`/Users/${managedId}`, replacing('y')),
      await client.operations('/Groups/Admin', { op: 'add', path: 'members', value: members(managedId) }),
      await client.ask('get', `/Users/${unmanagedId}`),
      await client.operations('/Groups/CreatingBotAllowed', { op: 'remove', path: `members[value eq "${unmanagedId}"]` }),
      await client.ask('delete', `/Users/${managedId}`),
    ];
    expect(fine.map(({ status }) => status)).toEqual([200, 204, 200, 204, 204]);
  });
});
