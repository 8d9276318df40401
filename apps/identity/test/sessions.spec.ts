import { afterAll, afterEach, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { Passwords } from '../src/adapters/passwords.ts';
import { REFRESH_GRACE_MILLIS } from '../src/domain/credentials/session.ts';
import { adminEmail, claimsOf, type IdentityUnderTest, identityUnderTest, password } from './people.ts';

let identity: IdentityUnderTest;
beforeAll(async () => {
  identity = await identityUnderTest({ PARLANCE_ALLOWED_SIGN_UP_EMAIL_DOMAINS: 'example.org' });
});
afterAll(() => identity.stop());

const { now } = Date;
const later = (millis: number) => jest.spyOn(Date, 'now').mockImplementation(() => now() + millis);
afterEach(() => void jest.restoreAllMocks());

const post = (path: string, body: object, who: Parameters<IdentityUnderTest['ask']>[2] = null) => identity.ask('post', path, who, body);
const signUp = async (email: string) => {
  const { body } = await post('/auth/sign-up', { email, password, first_name: 'Ann', last_name: 'Archer' });
  return body.user_id as string;
};
const signIn = async (email: string, its = password) => (await post('/auth/sign-in', { email, password: its })).body;
const actingIn = (token: string) => ({ userId: claimsOf(token).sub, groups: [], sessionId: claimsOf(token).sid });

describe('signing up', () => {
  it('makes a user who can sign in, in the groups that all join', async () => {
    const { status, body } = await post('/auth/sign-up', { email: 'Ann@example.org', password, first_name: 'Ann', last_name: 'Archer' });
    expect(status).toBe(201);
    expect(body).toMatchObject({ email: 'Ann@example.org', first_name: 'Ann', groups: ['CreatingBotAllowed'], enabled: true });
    const { access_token, refresh_token, expires_in, password_change_required, user } = await signIn('ann@EXAMPLE.org');
    expect([expires_in, password_change_required, user.user_id]).toEqual([1800, false, body.user_id]);
    expect(refresh_token).toMatch(/^prt_/);
    expect(claimsOf(access_token)).toMatchObject({ sub: body.user_id, groups: ['CreatingBotAllowed'], iss: 'parlance', aud: 'parlance' });
  });
  it.each<[string, object, number, string]>([
    ['an address in use, whatever its case', { email: 'FIRST@example.org' }, 409, 'email_taken'],
    ['another domain', { email: 'ann@example.com' }, 403, 'email_domain_not_allowed'],
    ['a domain that only ends like it', { email: 'ann@notexample.org' }, 403, 'email_domain_not_allowed'],
    ['a short password', { password: '1234567' }, 400, 'invalid_body'],
    ['a blank name', { first_name: ' ' }, 400, 'invalid_body'],
    ['a name of which nothing is seen', { last_name: '\u2060' }, 400, 'invalid_body'],
    ['an address with something in it that is not seen', { email: 'ann\u200b@example.org' }, 400, 'invalid_body'],
    ['groups of their choice', { groups: ['Admin'] }, 400, 'invalid_body'],
  ])('refuses %s', async (_, its, status, code) => {
    const { body } = await post('/auth/sign-up', { email: 'new@example.org', password, first_name: 'A', last_name: 'B', ...its });
    expect([body.status, body.code]).toEqual([status, code]);
  });
  it('answers a retry, by the id it was given, with the same user', async () => {
    const nid = '01K0000000000000000000000A';
    const body = { email: 'twice@example.org', password, first_name: 'A', last_name: 'B' };
    const answers = await Promise.all([1, 2].map(() => identity.ask('post', '/auth/sign-up', null, body, { nid })));
    expect(answers.map((answer) => [answer.status, answer.body.user_id])).toEqual([
      [201, nid],
      [201, nid],
    ]);
  });
});

describe('guessing passwords', () => {
  it('is over after ten failures, also with the right password, and for addresses without a user', async () => {
    await signUp('guessed@example.org');
    for (const email of ['guessed@example.org', 'nobody@example.org']) {
      const failures = [];
      for (let n = 0; n < 10; n++) failures.push((await signIn(email, 'wrong guess')).code);
      expect(new Set(failures)).toEqual(new Set(['wrong_credentials']));
      const answer = await post('/auth/sign-in', { email, password });
      expect([answer.status, answer.body.code]).toEqual([429, 'too_many_attempts']);
      expect(Number(answer.headers['retry-after'])).toBeGreaterThan(25);
    }
  });
  it('is no quicker when it is done two hundred times at once', async () => {
    await signUp('stormed@example.org');
    const answers = await Promise.all(
      Array.from({ length: 200 }, () => post('/auth/sign-in', { email: 'stormed@example.org', password: 'guess' })),
    );
    expect(answers.filter(({ status }) => status === 401)).toHaveLength(10);
    expect(answers.every(({ status }) => [401, 429, 503].includes(status))).toBe(true);
  });
  it('is no hindrance to two hundred sign-ins at once with the right password', async () => {
    await signUp('popular@example.org');
    for (let n = 0; n < 9; n++) await signIn('popular@example.org', 'wrong guess');
    const answers = await Promise.all(Array.from({ length: 200 }, () => post('/auth/sign-in', { email: 'popular@example.org', password })));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
  });
  it('makes the service check a password also for an address without a user', async () => {
    await signUp('known@example.org');
    const checks = jest.spyOn(Passwords.prototype, 'matches');
    for (const email of ['known@example.org', 'unknown@example.org']) await signIn(email, 'wrong guess');
    expect(checks.mock.calls).toEqual([
      ['wrong guess', expect.stringMatching(/^\$argon2id\$/)],
      ['wrong guess', null],
    ]);
    checks.mockRestore();
  });
});

describe('a session', () => {
  it('is refreshed from many tabs at once, which all get the same successor', async () => {
    await signUp('tabs@example.org');
    const { refresh_token } = await signIn('tabs@example.org');
    const answers = await Promise.all(Array.from({ length: 20 }, () => post('/auth/refresh', { refresh_token })));
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
    const [successor, ...others] = new Set(answers.map(({ body }) => body.refresh_token as string));
    expect([others, successor === refresh_token]).toEqual([[], false]);
    expect(new Set(answers.map(({ body }) => claimsOf(body.access_token).sid)).size).toBe(1);
    expect((await post('/auth/refresh', { refresh_token: successor })).status).toBe(200);
    expect((await post('/auth/refresh', { refresh_token })).body.refresh_token).toBe(successor);
  });
  it('is refreshed by a token that serves once, and ends when that comes again after its time', async () => {
    await signUp('refreshing@example.org');
    const first = await signIn('refreshing@example.org');
    const second = (await post('/auth/refresh', { refresh_token: first.refresh_token })).body;
    later(REFRESH_GRACE_MILLIS + 1);
    expect(claimsOf(second.access_token).sid).toBe(claimsOf(first.access_token).sid);
    expect(second.refresh_token).not.toBe(first.refresh_token);
    const reused = await post('/auth/refresh', { refresh_token: first.refresh_token });
    expect([reused.status, reused.body.code]).toEqual([401, 'invalid_refresh_token']);
    const after = await post('/auth/refresh', { refresh_token: second.refresh_token });
    expect([after.status, after.body.code]).toEqual([401, 'invalid_refresh_token']);
  });
  it('ends when another client sends a token that was just used, whichever of the two came first', async () => {
    await signUp('in-two-hands@example.org');
    for (const [first, second] of [
      ['test/1', 'other/1'],
      ['other/1', 'test/1'],
    ] as const) {
      const { refresh_token } = await signIn('in-two-hands@example.org');
      const by = (agent: string, token: string) =>
        identity.ask('post', '/auth/refresh', null, { refresh_token: token }, { 'user-agent': agent });
      const next = (await by(first, refresh_token)).body.refresh_token;
      expect((await by(first, refresh_token)).body.refresh_token).toBe(next);
      const reused = await by(second, refresh_token);
      expect([reused.status, reused.body.code]).toEqual([401, 'invalid_refresh_token']);
      expect((await by(first, next)).status).toBe(401);
    }
  });
  it('goes on when its client has another user agent than before', async () => {
    const { refresh_token } = await signIn(adminEmail);
    const answer = await identity.ask('post', '/auth/refresh', null, { refresh_token }, { 'user-agent': 'test/2' });
    expect(answer.status).toBe(200);
  });
  it('is not refreshed by what was made up', async () => {
    const { refresh_token } = await signIn(adminEmail);
    for (const made of [refresh_token.replace('.0.', '.1.'), `${refresh_token.slice(0, -2)}AA`, 'prt_x']) {
      expect((await post('/auth/refresh', { refresh_token: made })).body.code).toBe('invalid_refresh_token');
    }
    expect((await post('/auth/refresh', { refresh_token })).status).toBe(200);
  });
  it('is ended by signing out', async () => {
    await signUp('leaving@example.org');
    const { access_token, refresh_token } = await signIn('leaving@example.org');
    expect((await identity.ask('post', '/auth/sign-out', actingIn(access_token))).status).toBe(204);
    expect((await identity.ask('post', '/auth/sign-out', actingIn(access_token))).status).toBe(204);
    expect((await post('/auth/refresh', { refresh_token })).status).toBe(401);
  });
  it('is listed beside the others, and ended from one of them', async () => {
    await signUp('many@example.org');
    const [first, second] = [await signIn('many@example.org'), await signIn('many@example.org')];
    const listed = await identity.ask('get', '/auth/sessions', actingIn(second.access_token));
    expect(listed.body).toMatchObject({ next_token: null });
    expect(
      listed.body.sessions.map((its: { session_id: string; current: boolean; via: string; ip_address: string; user_agent: string }) => its),
    ).toEqual(
      expect.arrayContaining([
        expect.objectContaining({
          session_id: claimsOf(first.access_token).sid,
          current: false,
          via: 'password',
          ip_address: '203.0.113.9',
        }),
        expect.objectContaining({ session_id: claimsOf(second.access_token).sid, current: true, user_agent: 'test/1' }),
      ]),
    );
    const path = `/auth/sessions/${claimsOf(first.access_token).sid}`;
    expect((await identity.ask('delete', path, actingIn(second.access_token))).status).toBe(204);
    expect((await identity.ask('delete', path, actingIn(second.access_token))).body.code).toBe('session_not_found');
    expect((await post('/auth/refresh', { refresh_token: first.refresh_token })).status).toBe(401);
    expect((await post('/auth/refresh', { refresh_token: second.refresh_token })).status).toBe(200);
  });
  it('is found in pages with the others, the newest first', async () => {
    await signUp('often@example.org');
    const began: string[] = [];
    for (let n = 0; n < 5; n++) began.unshift(claimsOf((await signIn('often@example.org')).access_token).sid);
    const me = actingIn((await signIn('often@example.org')).access_token);
    began.unshift(me.sessionId);
    const found: string[] = [];
    const tokens: string[] = [];
    do {
      const after = tokens.length > 0 ? `&next_token=${tokens.at(-1)}` : '';
      const { body } = await identity.ask('get', `/auth/sessions?limit=2${after}`, me);
      found.push(...body.sessions.map((its: { session_id: string }) => its.session_id));
      tokens.push(body.next_token);
    } while (tokens.at(-1) !== null && tokens.length < 9);
    expect([found, tokens.length]).toEqual([began, 3]);
    const others = await identity.ask('get', `/auth/sessions?next_token=${tokens[0]}`, identity.admin);
    expect([others.status, others.body.code]).toEqual([400, 'invalid_next_token']);
    const { body } = await identity.ask('get', '/auth/sessions', me);
    expect(Object.keys(body.sessions[0]).sort()).toEqual(
      ['create_time', 'current', 'ip_address', 'last_used_time', 'session_id', 'user_agent', 'via'].sort(),
    );
  });
  it('cannot be ended by another user', async () => {
    await signUp('owner@example.org');
    const { access_token } = await signIn('owner@example.org');
    const path = `/auth/sessions/${claimsOf(access_token).sid}`;
    expect((await identity.ask('delete', path, { userId: identity.admin.userId })).body.code).toBe('session_not_found');
  });
});

describe('passwords', () => {
  it('are changed by a user who knows the current one, which ends all sessions but the new', async () => {
    await signUp('changing@example.org');
    const before = await signIn('changing@example.org');
    const me = actingIn(before.access_token);
    const wrong = await post('/auth/password', { current_password: 'not this one', new_password: 'another good one' }, me);
    expect([wrong.status, wrong.body.code]).toEqual([403, 'wrong_password']);
    const changed = await post('/auth/password', { current_password: password, new_password: 'another good one' }, me);
    expect(changed.status).toBe(200);
    expect((await post('/auth/refresh', { refresh_token: before.refresh_token })).status).toBe(401);
    expect((await post('/auth/refresh', { refresh_token: changed.body.refresh_token })).status).toBe(200);
    expect((await signIn('changing@example.org')).code).toBe('wrong_credentials');
    expect((await signIn('changing@example.org', 'another good one')).access_token).toBeDefined();
  });
  it('that were changed during a sign-in with the former let no session begin', async () => {
    const userId = await signUp('overtaken@example.org');
    let current = password;
    for (let round = 0; round < 4; round++) {
      const next = `another one ${round}`;
      const attempts = [0, 1, 2].map(() => signIn('overtaken@example.org', current));
      await post('/auth/password', { current_password: current, new_password: next }, { userId });
      const tokens = (await Promise.all(attempts)).flatMap((answer) => answer.refresh_token ?? []);
      for (const refresh_token of tokens) expect((await post('/auth/refresh', { refresh_token })).status).toBe(401);
      current = next;
    }
  });
  it('are not guessed with a stolen token', async () => {
    const userId = await signUp('stolen@example.org');
    const answers = [];
    for (let n = 0; n < 11; n++)
      answers.push((await post('/auth/password', { current_password: `guess ${n}`, new_password: 'mine now 12' }, { userId })).body.code);
    expect(answers).toEqual([...Array.from({ length: 10 }, () => 'wrong_password'), 'too_many_attempts']);
  });
  it('are reset by a token of an administrator, once', async () => {
    const userId = await signUp('forgetful@example.org');
    const { refresh_token } = await signIn('forgetful@example.org');
    const offered = await identity.ask('post', `/admin/users/${userId}/password-reset`, identity.admin);
    expect([offered.status, offered.body.expires_in]).toEqual([201, 86_400]);
    const { reset_token } = offered.body;
    expect((await post('/auth/password-reset', { reset_token: `${reset_token}x`, new_password: 'a newer one 1' })).body.code).toBe(
      'invalid_reset_token',
    );
    expect((await post('/auth/password-reset', { reset_token, new_password: 'a newer one 1' })).status).toBe(204);
    expect((await post('/auth/password-reset', { reset_token, new_password: 'a newer one 2' })).body.code).toBe('invalid_reset_token');
    expect((await post('/auth/refresh', { refresh_token })).status).toBe(401);
    expect((await signIn('forgetful@example.org', 'a newer one 1')).access_token).toBeDefined();
  });
  it('are not reset by a bad token, and every bad token has the same answer', async () => {
    const [forgetful, erased] = [await signUp('bad-token@example.org'), await signUp('erased-token@example.org')];
    const tokenOf = async (userId: string) =>
      (await identity.ask('post', `/admin/users/${userId}/password-reset`, identity.admin)).body.reset_token as string;
    const [void_, used, ofNobody] = [await tokenOf(forgetful), await tokenOf(forgetful), await tokenOf(erased)];
    await post('/auth/password-reset', { reset_token: used, new_password: 'a newer one 1' });
    await identity.ask('delete', `/admin/users/${erased}`, identity.admin);
    const bad = [
      void_,
      used,
      ofNobody,
      `${used}.more`,
      used.toLowerCase(),
      used.slice(0, -1),
      `01K0000000000000000000000Z.${'x'.repeat(43)}`,
      '01K0000000000000000000000Z.secret',
      'nonsense',
      '.',
      '',
      'x'.repeat(100_000),
    ];
    const answers = [];
    // The new password is not looked at, so a short one does not tell a bad token from a good one.
    for (const reset_token of bad)
      for (const new_password of ['a newer one 2', 'short', 'x'.repeat(2000)]) {
        const { request_id: _, ...answer } = (await post('/auth/password-reset', { reset_token, new_password })).body;
        answers.push(answer);
      }
    expect(answers).toEqual(answers.map(() => expect.objectContaining({ status: 400, code: 'invalid_reset_token' })));
    expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1);
  });
  it('that are temporary are not replaced by themselves', async () => {
    const email = 'temporary@example.org';
    const made = await identity.ask('post', '/admin/users', identity.admin, { email, first_name: 'A', last_name: 'B' });
    const { user_id, temporary_password: temporary } = made.body;
    const same = await post('/auth/password', { current_password: temporary, new_password: temporary }, { userId: user_id });
    expect([same.status, same.body.code]).toEqual([400, 'password_not_new']);
    const { reset_token } = (await identity.ask('post', `/admin/users/${user_id}/password-reset`, identity.admin)).body;
    const reset = await post('/auth/password-reset', { reset_token, new_password: temporary });
    expect([reset.status, reset.body.code]).toEqual([400, 'password_not_new']);
    expect((await signIn(email, temporary)).password_change_required).toBe(true);
    expect((await post('/auth/password', { current_password: temporary, new_password: 'one of my own' }, { userId: user_id })).status).toBe(
      200,
    );
    // One that the user chose may stay.
    const again = await post('/auth/password', { current_password: 'one of my own', new_password: 'one of my own' }, { userId: user_id });
    expect(again.status).toBe(200);
  });
  it('that are to be set by a good token have to be good themselves, and leave the token good', async () => {
    const userId = await signUp('short-password@example.org');
    const { reset_token } = (await identity.ask('post', `/admin/users/${userId}/password-reset`, identity.admin)).body;
    const short = await post('/auth/password-reset', { reset_token, new_password: 'short' });
    expect([short.body.code, short.body.errors]).toEqual([
      'invalid_body',
      [{ path: 'new_password', message: 'must have 8 to 1000 characters' }],
    ]);
    expect((await post('/auth/password-reset', { reset_token, new_password: 'long enough' })).status).toBe(204);
  });
});
