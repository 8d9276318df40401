import { afterAll, afterEach, describe, expect, it, jest } from '@jest/globals';
import { REFRESH_GRACE_MILLIS } from '../src/domain/credentials/session.ts';
import { adminEmail, claimsOf, password } from './people.ts';
import { actingIn, later, SignIns } from './sign-ins.ts';

const people = await SignIns.start();
afterAll(() => people.identity.stop());
afterEach(() => void jest.restoreAllMocks());

describe('signing up', () => {
  it('creates a user who can sign in, in the groups of autoJoinUserGroups', async () => {
    const { status, body, headers } = await people.post('/auth/sign-up', {
      email: 'Ann@example.org',
      password,
      first_name: 'Ann',
      last_name: 'Archer',
    });
    expect([status, headers['etag']]).toEqual([201, expect.stringMatching(/^"\w+"$/)]);
    expect(body).toMatchObject({ email: 'Ann@example.org', first_name: 'Ann', groups: ['CreatingBotAllowed'], enabled: true });
    const { access_token, refresh_token, expires_in, password_change_required, user } = await people.signIn('ann@EXAMPLE.org');
    expect([expires_in, password_change_required, user.user_id]).toEqual([1800, false, body.user_id]);
    expect(refresh_token).toMatch(/^prt_/);
    expect(claimsOf(access_token)).toMatchObject({ sub: body.user_id, groups: ['CreatingBotAllowed'], iss: 'parlance', aud: 'parlance' });
  });
  it.each<[string, object, number, string]>([
    ['an address in use, whatever its case', { email: 'FIRST@example.org' }, 409, 'email_taken'],
    ['another domain', { email: 'ann@example.com' }, 403, 'email_domain_not_allowed'],
    ['a domain that only ends like an allowed one', { email: 'ann@notexample.org' }, 403, 'email_domain_not_allowed'],
    ['a short password', { password: '1234567' }, 400, 'invalid_body'],
    ['a blank name', { first_name: ' ' }, 400, 'invalid_body'],
    ['a name without visible characters', { last_name: '\u2060' }, 400, 'invalid_body'],
    ['an address with an invisible character', { email: 'ann\u200b@example.org' }, 400, 'invalid_body'],
    ['a choice of groups', { groups: ['Admin'] }, 400, 'invalid_body'],
  ])('refuses %s', async (_, fields, status, code) => {
    const { body } = await people.post('/auth/sign-up', { email: 'new@example.org', password, first_name: 'A', last_name: 'B', ...fields });
    expect([body.status, body.code]).toEqual([status, code]);
  });
  it('answers a retry with the same ID with the same user', async () => {
    const nid = '01K0000000000000000000000A';
    const body = { email: 'twice@example.org', password, first_name: 'A', last_name: 'B' };
    const answers = await Promise.all([1, 2].map(() => people.identity.ask('post', '/auth/sign-up', null, body, { nid })));
    expect(answers.map((answer) => [answer.status, answer.body.user_id])).toEqual([
      [201, nid],
      [201, nid],
    ]);
  });
});

describe('a session', () => {
  it('is refreshed from many tabs at once, which all get the same successor', async () => {
    await people.signUp('tabs@example.org');
    const { refresh_token } = await people.signIn('tabs@example.org');
    const answers = await Promise.all(Array.from({ length: 20 }, () => people.post('/auth/refresh', { refresh_token })));
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
    const [successor, ...others] = new Set(answers.map(({ body }) => body.refresh_token as string));
    expect([others, successor === refresh_token]).toEqual([[], false]);
    expect(new Set(answers.map(({ body }) => claimsOf(body.access_token).sid)).size).toBe(1);
    expect((await people.post('/auth/refresh', { refresh_token: successor })).status).toBe(200);
    expect((await people.post('/auth/refresh', { refresh_token })).body.refresh_token).toBe(successor);
  });
  it('is refreshed by a token that works once, and ends when the token is used again after the grace period', async () => {
    await people.signUp('refreshing@example.org');
    const first = await people.signIn('refreshing@example.org');
    const second = (await people.post('/auth/refresh', { refresh_token: first.refresh_token })).body;
    later(REFRESH_GRACE_MILLIS + 1);
    expect(claimsOf(second.access_token).sid).toBe(claimsOf(first.access_token).sid);
    expect(second.refresh_token).not.toBe(first.refresh_token);
    const reused = await people.post('/auth/refresh', { refresh_token: first.refresh_token });
    expect([reused.status, reused.body.code]).toEqual([401, 'invalid_refresh_token']);
    const after = await people.post('/auth/refresh', { refresh_token: second.refresh_token });
    expect([after.status, after.body.code]).toEqual([401, 'invalid_refresh_token']);
  });
  it('ends when another client sends a token that was just used, whichever client was first', async () => {
    await people.signUp('in-two-hands@example.org');
    for (const [first, second] of [
      ['test/1', 'other/1'],
      ['other/1', 'test/1'],
    ] as const) {
      const { refresh_token } = await people.signIn('in-two-hands@example.org');
      const by = (agent: string, token: string) =>
        people.identity.ask('post', '/auth/refresh', null, { refresh_token: token }, { 'user-agent': agent });
      const next = (await by(first, refresh_token)).body.refresh_token;
      expect((await by(first, refresh_token)).body.refresh_token).toBe(next);
      const reused = await by(second, refresh_token);
      expect([reused.status, reused.body.code]).toEqual([401, 'invalid_refresh_token']);
      expect((await by(first, next)).status).toBe(401);
    }
  });
  it('continues when its client has another user agent than before', async () => {
    const { refresh_token } = await people.signIn(adminEmail);
    const answer = await people.identity.ask('post', '/auth/refresh', null, { refresh_token }, { 'user-agent': 'test/2' });
    expect(answer.status).toBe(200);
  });
  it('is not refreshed by an invented token', async () => {
    const { refresh_token } = await people.signIn(adminEmail);
    // The last characters may be the same ones by chance, and do not carry all of their bits.
    const changed = `${refresh_token.slice(0, -3)}${refresh_token.at(-3) === 'A' ? 'B' : 'A'}${refresh_token.slice(-2)}`;
    for (const made of [refresh_token.replace('.0.', '.1.'), changed, 'prt_x']) {
      expect((await people.post('/auth/refresh', { refresh_token: made })).body.code).toBe('invalid_refresh_token');
    }
    expect((await people.post('/auth/refresh', { refresh_token })).status).toBe(200);
  });
  it('is ended by signing out', async () => {
    await people.signUp('leaving@example.org');
    const { access_token, refresh_token } = await people.signIn('leaving@example.org');
    expect((await people.identity.ask('post', '/auth/sign-out', actingIn(access_token))).status).toBe(204);
    expect((await people.identity.ask('post', '/auth/sign-out', actingIn(access_token))).status).toBe(204);
    expect((await people.post('/auth/refresh', { refresh_token })).status).toBe(401);
  });
  it('is listed with the others, and can be ended from one of them', async () => {
    await people.signUp('many@example.org');
    const [first, second] = [await people.signIn('many@example.org'), await people.signIn('many@example.org')];
    const listed = await people.identity.ask('get', '/auth/sessions', actingIn(second.access_token));
    expect(listed.body).toMatchObject({ next_token: null });
    expect(
      listed.body.sessions.map(
        (session: { session_id: string; current: boolean; via: string; ip_address: string; user_agent: string }) => session,
      ),
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
    expect((await people.identity.ask('delete', path, actingIn(second.access_token))).status).toBe(204);
    expect((await people.identity.ask('delete', path, actingIn(second.access_token))).body.code).toBe('session_not_found');
    expect((await people.post('/auth/refresh', { refresh_token: first.refresh_token })).status).toBe(401);
    expect((await people.post('/auth/refresh', { refresh_token: second.refresh_token })).status).toBe(200);
  });
  it('is listed in pages with the others, newest first', async () => {
    await people.signUp('often@example.org');
    const began: string[] = [];
    for (let n = 0; n < 5; n++) began.unshift(claimsOf((await people.signIn('often@example.org')).access_token).sid);
    const me = actingIn((await people.signIn('often@example.org')).access_token);
    began.unshift(me.sessionId);
    const found: string[] = [];
    const tokens: string[] = [];
    do {
      const after = tokens.length > 0 ? `&next_token=${tokens.at(-1)}` : '';
      const { body } = await people.identity.ask('get', `/auth/sessions?limit=2${after}`, me);
      found.push(...body.sessions.map((session: { session_id: string }) => session.session_id));
      tokens.push(body.next_token);
    } while (tokens.at(-1) !== null && tokens.length < 9);
    expect([found, tokens.length]).toEqual([began, 3]);
    const others = await people.identity.ask('get', `/auth/sessions?next_token=${tokens[0]}`, people.identity.admin);
    expect([others.status, others.body.code]).toEqual([400, 'invalid_next_token']);
    const { body } = await people.identity.ask('get', '/auth/sessions', me);
    expect(Object.keys(body.sessions[0]).sort()).toEqual(
      ['create_time', 'current', 'ip_address', 'last_used_time', 'session_id', 'user_agent', 'via'].sort(),
    );
  });
  it('cannot be ended by another user', async () => {
    await people.signUp('owner@example.org');
    const { access_token } = await people.signIn('owner@example.org');
    const path = `/auth/sessions/${claimsOf(access_token).sid}`;
    expect((await people.identity.ask('delete', path, { userId: people.identity.admin.userId })).body.code).toBe('session_not_found');
  });
});
