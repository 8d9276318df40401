import { afterAll, describe, expect, it } from '@jest/globals';
import { openCounterpart, type People } from './oidc-counterpart.ts';
import { publicBaseUrl } from './oidc-browser.ts';
import { claimsIn, openRig, password } from './oidc-rig.ts';

const redirectUris = ['acme', 'blue', 'closed', 'limited'].map((name) => `${publicBaseUrl}/auth/oidc/${name}/callback`);
const person = (email: string, more: object = {}) => ({ email, email_verified: true, given_name: 'Ann', family_name: 'Archer', ...more });

const people: People = {};
const acme = await openCounterpart(people, { redirectUris, secret: 'not a secret' });
const blue = await openCounterpart(people, { redirectUris, claimsInIdToken: true });
const group_mapping = { admins: 'Admin', staff: 'PublishAllowed', everybody: 'PublishAllowed', lost: 'nowhere' };
const ofAcme = { issuer: acme.issuer, client_id: 'parlance', client_secret: 'not a secret', group_mapping };
const rig = await openRig({
  acme: ofAcme,
  blue: { issuer: blue.issuer, client_id: 'parlance' },
  closed: { ...ofAcme, create_users: false },
  limited: { ...ofAcme, email_domains: ['corp.example'] },
});
afterAll(async () => {
  await rig.stop();
  await Promise.all([acme.stop(), blue.stop()]);
});

const signUp = async (email: string) =>
  (await rig.post('/auth/sign-up', { email, password, first_name: 'Somebody', last_name: 'Else' })).body.user_id as string;
const usersCalled = async (email: string) => (await rig.asAdmin('get', `/user/search?prefix=${encodeURIComponent(email)}`)).body.users;

describe('signing in at a provider', () => {
  it('creates a user the first time, and finds that user afterwards', async () => {
    people['ann'] = person('ann@example.org');
    const first = await rig.browser('ann').signIn('acme');
    expect(first.status).toBe(200);
    expect(first.body).toMatchObject({
      expires_in: 1800,
      password_change_required: false,
      user: { email: 'ann@example.org', first_name: 'Ann', last_name: 'Archer', groups: ['CreatingBotAllowed'], enabled: true },
    });
    expect(first.headers).toMatchObject({ 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' });
    expect((await rig.post('/auth/refresh', { refresh_token: first.body.refresh_token })).status).toBe(200);

    people['ann'] = person('ann.new@example.org', { email_verified: false });
    const second = await rig.browser('ann').signIn('acme');
    expect(second.body.user).toMatchObject({ user_id: first.body.user.user_id, email: 'ann@example.org' });
    expect(claimsIn(second.body.access_token).sid).not.toBe(claimsIn(first.body.access_token).sid);
  });

  it('is possible at several providers, with or without a secret, and the address identifies one user', async () => {
    people['ben'] = person('ben@example.org');
    const one = await rig.browser('ben').signIn('blue');
    const other = await rig.browser('ben').signIn('acme');
    expect([one.status, other.body.user.user_id]).toEqual([200, one.body.user.user_id]);
    const sessions = await rig.asAdmin('get', '/auth/sessions').set(rig.as(one.body.user.user_id));
    expect(sessions.body.sessions.map(({ via }: { via: string }) => via).sort()).toEqual(['acme', 'blue']);
  });

  it('creates one user for two concurrent first sign-ins', async () => {
    people['cat'] = person('cat@example.org');
    const answers = await Promise.all([
      rig.browser('cat').signIn('acme'),
      rig.browser('cat').signIn('acme'),
      rig.browser('cat').signIn('blue'),
    ]);
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(new Set(answers.map(({ body }) => body.user.user_id)).size).toBe(1);
    expect(await usersCalled('cat@example.org')).toHaveLength(1);
  });

  it('redirects the browser with PKCE, state and nonce, and a cookie that scripts and other sites cannot read', async () => {
    const { status, headers } = await rig.browser('ann').get('/auth/oidc/acme/start');
    expect(status).toBe(302);
    const address = new URL(String(headers['location']));
    expect(address.origin).toBe(acme.issuer);
    expect(Object.fromEntries(address.searchParams)).toMatchObject({
      response_type: 'code',
      client_id: 'parlance',
      scope: 'openid email profile',
      redirect_uri: redirectUris[0],
      code_challenge: expect.stringMatching(/^[\w-]{43}$/),
      code_challenge_method: 'S256',
      state: expect.stringMatching(/^[\w-]{43}$/),
      nonce: expect.stringMatching(/^[\w-]{43}$/),
    });
    const cookie = String(headers['set-cookie']);
    expect(cookie).toMatch(/^parlance_oidc=[\w.-]+; Max-Age=600; Path=\/auth\/oidc; HttpOnly; SameSite=Lax; Secure$/);
    expect(cookie).not.toContain(address.searchParams.get('state'));
  });

  it('is refused if the address is not verified', async () => {
    for (const email_verified of [false, undefined, 'yes', 1]) {
      people['dan'] = person('dan@example.org', { email_verified });
      expect((await rig.browser('dan').signIn('acme')).body).toMatchObject({ status: 403, code: 'email_not_verified' });
    }
    expect(await usersCalled('dan@example.org')).toEqual([]);
    people['dan'] = person('dan@example.org', { email_verified: 'true' });
    expect((await rig.browser('dan').signIn('acme')).status).toBe(200);
  });

  it('is refused for an address in a domain that the provider may not verify, new or known', async () => {
    const userId = await signUp('strange@example.org');
    for (const email of ['strange@example.org', 'newcomer@example.org', 'newcomer@sub.corp.example', 'newcomer@corp.example.org']) {
      people['stranger'] = person(email);
      expect((await rig.browser('stranger').signIn('limited')).body).toMatchObject({ status: 403, code: 'email_domain_not_allowed' });
    }
    expect((await rig.asAdmin('get', `/admin/users/${userId}`)).body.email_verified).toBe(false);
    expect((await rig.post('/auth/sign-in', { email: 'strange@example.org', password })).status).toBe(200);
    people['colleague'] = person('Colleague@CORP.example');
    expect((await rig.browser('colleague').signIn('limited')).body.user).toMatchObject({ email_verified: true });
  });

  it('verifies the address of a user who had signed up with it', async () => {
    const userId = await signUp('proved@example.org');
    expect((await rig.asAdmin('get', `/admin/users/${userId}`)).body.email_verified).toBe(false);
    people['proved'] = person('proved@example.org', { groups: ['staff'] });
    const { user } = (await rig.browser('proved').signIn('acme')).body;
    expect(user).toMatchObject({ user_id: userId, email_verified: true, groups: ['CreatingBotAllowed', 'PublishAllowed'] });
  });

  it('is refused without an account if the provider may not create one', async () => {
    people['eve'] = person('eve@example.org');
    expect((await rig.browser('eve').signIn('closed')).body).toMatchObject({ status: 403, code: 'no_such_account' });
    expect(await usersCalled('eve@example.org')).toEqual([]);
    await rig.browser('eve').signIn('acme');
    expect((await rig.browser('eve').signIn('closed')).status).toBe(200);
  });

  it('is refused to a disabled user', async () => {
    people['fay'] = person('fay@example.org');
    const { user_id } = (await rig.browser('fay').signIn('acme')).body.user;
    await rig.asAdmin('patch', `/admin/users/${user_id}`, { enabled: false });
    expect((await rig.browser('fay').signIn('acme')).body).toMatchObject({ status: 403, code: 'user_disabled' });
  });

  it('creates another user for a person who was erased', async () => {
    people['gus'] = person('gus@example.org');
    const { user_id } = (await rig.browser('gus').signIn('acme')).body.user;
    expect((await rig.asAdmin('delete', `/admin/users/${user_id}`)).body.erased[0].removed).toMatchObject({ linked_identities: 1 });
    const again = await rig.browser('gus').signIn('acme');
    expect(again.status).toBe(200);
    expect(again.body.user.user_id).not.toBe(user_id);
  });
});

describe('the address of an existing user', () => {
  it("belongs to the provider's user, who keeps what an administrator granted", async () => {
    const made = await rig.asAdmin('post', '/admin/users', { email: 'Hal@example.org', first_name: 'Hal', last_name: 'Hill', password });
    people['hal'] = person('hal@EXAMPLE.org');
    expect((await rig.browser('hal').signIn('acme')).body.user).toMatchObject({ user_id: made.body.user_id, first_name: 'Hal' });
    expect((await rig.post('/auth/sign-in', { email: 'hal@example.org', password })).status).toBe(200);
  });

  it('is taken from the user who signed up with it without proof: password and sessions are void', async () => {
    const userId = await signUp('ida@example.org');
    const stranger = (await rig.post('/auth/sign-in', { email: 'ida@example.org', password })).body;
    people['ida'] = person('ida@example.org');
    const owner = await rig.browser('ida').signIn('acme');
    expect(owner.body.user.user_id).toBe(userId);
    expect((await rig.post('/auth/refresh', { refresh_token: stranger.refresh_token })).body.code).toBe('invalid_refresh_token');
    expect((await rig.post('/auth/sign-in', { email: 'ida@example.org', password })).body.code).toBe('wrong_credentials');
    // This happens once: the owner's own sessions survive the next sign-in.
    await rig.browser('ida').signIn('blue');
    await rig.browser('ida').signIn('acme');
    expect((await rig.post('/auth/refresh', { refresh_token: owner.body.refresh_token })).status).toBe(200);
  });

  it('is not taken by an address that is not verified', async () => {
    await signUp('joy@example.org');
    people['joy'] = person('joy@example.org', { email_verified: false });
    expect((await rig.browser('joy').signIn('acme')).body.code).toBe('email_not_verified');
    expect((await rig.post('/auth/sign-in', { email: 'joy@example.org', password })).status).toBe(200);
  });
});

describe('groups of the provider', () => {
  const groupsAfter = async (who: string) => [...(await rig.browser(who).signIn('acme')).body.user.groups].sort();

  it('are joined and left at each sign-in, if they are mapped', async () => {
    people['kim'] = person('kim@example.org', { groups: ['staff', 'unmapped', 'lost'] });
    expect(await groupsAfter('kim')).toEqual(['CreatingBotAllowed', 'PublishAllowed']);
    people['kim'] = person('kim@example.org', { groups: ['everybody', 'admins'] });
    const both = await rig.browser('kim').signIn('acme');
    expect([...both.body.user.groups].sort()).toEqual(['Admin', 'CreatingBotAllowed', 'PublishAllowed']);
    expect([...claimsIn(both.body.access_token).groups].sort()).toEqual(['Admin', 'CreatingBotAllowed', 'PublishAllowed']);
    people['kim'] = person('kim@example.org');
    expect(await groupsAfter('kim')).toEqual(['CreatingBotAllowed']);
  });

  it('do not remove the last Admin from the group', async () => {
    people['first'] = person('first@example.org', { groups: ['staff'] });
    const { status, body } = await rig.browser('first').signIn('acme');
    expect([status, [...body.user.groups].sort()]).toEqual([200, ['Admin', 'PublishAllowed']]);
  });

  it('are ignored for a provider without a mapping', async () => {
    people['lea'] = person('lea@example.org', { groups: ['admins'] });
    expect((await rig.browser('lea').signIn('blue')).body.user.groups).toEqual(['CreatingBotAllowed']);
  });
});
