import { afterAll, afterEach, describe, expect, it, jest } from '@jest/globals';
import { Passwords } from '../src/adapters/passwords.ts';
import { password } from './people.ts';
import { actingIn, SignIns } from './sign-ins.ts';

const people = await SignIns.start();
afterAll(() => people.identity.stop());
afterEach(() => void jest.restoreAllMocks());

describe('guessing passwords', () => {
  it('is refused after ten failures, even with the right password, and for addresses without a user', async () => {
    await people.signUp('guessed@example.org');
    for (const email of ['guessed@example.org', 'nobody@example.org']) {
      const failures = [];
      for (let n = 0; n < 10; n++) failures.push((await people.signIn(email, 'wrong guess')).code);
      expect(new Set(failures)).toEqual(new Set(['wrong_credentials']));
      const answer = await people.post('/auth/sign-in', { email, password });
      expect([answer.status, answer.body.code]).toEqual([429, 'too_many_attempts']);
      expect(Number(answer.headers['retry-after'])).toBeGreaterThan(25);
    }
  });
  it('is not faster with two hundred concurrent attempts', async () => {
    await people.signUp('stormed@example.org');
    const answers = await Promise.all(
      Array.from({ length: 200 }, () => people.post('/auth/sign-in', { email: 'stormed@example.org', password: 'guess' })),
    );
    expect(answers.filter(({ status }) => status === 401)).toHaveLength(10);
    expect(answers.every(({ status }) => [401, 429, 503].includes(status))).toBe(true);
  });
  it('does not block two hundred concurrent sign-ins with the right password', async () => {
    await people.signUp('popular@example.org');
    for (let n = 0; n < 9; n++) await people.signIn('popular@example.org', 'wrong guess');
    const answers = await Promise.all(
      Array.from({ length: 200 }, () => people.post('/auth/sign-in', { email: 'popular@example.org', password })),
    );
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
  });
  it('makes the service check a password even for an address without a user', async () => {
    await people.signUp('known@example.org');
    const checks = jest.spyOn(Passwords.prototype, 'matches');
    for (const email of ['known@example.org', 'unknown@example.org']) await people.signIn(email, 'wrong guess');
    expect(checks.mock.calls).toEqual([
      ['wrong guess', expect.stringMatching(/^\$argon2id\$/)],
      ['wrong guess', null],
    ]);
    checks.mockRestore();
  });
});

describe('passwords', () => {
  it('are changed by a user who knows the current one, which ends all sessions except the new one', async () => {
    await people.signUp('changing@example.org');
    const before = await people.signIn('changing@example.org');
    const me = actingIn(before.access_token);
    const wrong = await people.post('/auth/password', { current_password: 'not this one', new_password: 'another good one' }, me);
    expect([wrong.status, wrong.body.code]).toEqual([403, 'wrong_password']);
    const changed = await people.post('/auth/password', { current_password: password, new_password: 'another good one' }, me);
    expect(changed.status).toBe(200);
    expect((await people.post('/auth/refresh', { refresh_token: before.refresh_token })).status).toBe(401);
    expect((await people.post('/auth/refresh', { refresh_token: changed.body.refresh_token })).status).toBe(200);
    expect((await people.signIn('changing@example.org')).code).toBe('wrong_credentials');
    expect((await people.signIn('changing@example.org', 'another good one')).access_token).toBeDefined();
  });
  it('that change during a sign-in with the previous one let no session begin', async () => {
    const userId = await people.signUp('overtaken@example.org');
    let current = password;
    for (let round = 0; round < 4; round++) {
      const next = `another one ${round}`;
      const attempts = [0, 1, 2].map(() => people.signIn('overtaken@example.org', current));
      await people.post('/auth/password', { current_password: current, new_password: next }, { userId });
      const tokens = (await Promise.all(attempts)).flatMap((answer) => answer.refresh_token ?? []);
      for (const refresh_token of tokens) expect((await people.post('/auth/refresh', { refresh_token })).status).toBe(401);
      current = next;
    }
  });
  it('are not guessed with a stolen token', async () => {
    const userId = await people.signUp('stolen@example.org');
    const answers = [];
    for (let n = 0; n < 11; n++)
      answers.push(
        (await people.post('/auth/password', { current_password: `guess ${n}`, new_password: 'mine now 12' }, { userId })).body.code,
      );
    expect(answers).toEqual([...Array.from({ length: 10 }, () => 'wrong_password'), 'too_many_attempts']);
  });
  it('are reset by a token of an administrator, once', async () => {
    const userId = await people.signUp('forgetful@example.org');
    const { refresh_token } = await people.signIn('forgetful@example.org');
    const offered = await people.identity.ask('post', `/admin/users/${userId}/password-reset`, people.identity.admin);
    expect([offered.status, offered.body.expires_in]).toEqual([201, 86_400]);
    const { reset_token } = offered.body;
    expect((await people.post('/auth/password-reset', { reset_token: `${reset_token}x`, new_password: 'a newer one 1' })).body.code).toBe(
      'invalid_reset_token',
    );
    expect((await people.post('/auth/password-reset', { reset_token, new_password: 'a newer one 1' })).status).toBe(204);
    expect((await people.post('/auth/password-reset', { reset_token, new_password: 'a newer one 2' })).body.code).toBe(
      'invalid_reset_token',
    );
    expect((await people.post('/auth/refresh', { refresh_token })).status).toBe(401);
    expect((await people.signIn('forgetful@example.org', 'a newer one 1')).access_token).toBeDefined();
  });
  it('are not reset by a bad token, and every bad token has the same answer', async () => {
    const [forgetful, erased] = [await people.signUp('bad-token@example.org'), await people.signUp('erased-token@example.org')];
    const tokenOf = async (userId: string) =>
      (await people.identity.ask('post', `/admin/users/${userId}/password-reset`, people.identity.admin)).body.reset_token as string;
    const [void_, used, ofNobody] = [await tokenOf(forgetful), await tokenOf(forgetful), await tokenOf(erased)];
    await people.post('/auth/password-reset', { reset_token: used, new_password: 'a newer one 1' });
    await people.identity.ask('delete', `/admin/users/${erased}`, people.identity.admin);
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
    // The new password is not checked first, so a short one does not reveal whether the token is valid.
    for (const reset_token of bad)
      for (const new_password of ['a newer one 2', 'short', 'x'.repeat(2000)]) {
        const { request_id: _, ...answer } = (await people.post('/auth/password-reset', { reset_token, new_password })).body;
        answers.push(answer);
      }
    expect(answers).toEqual(answers.map(() => expect.objectContaining({ status: 400, code: 'invalid_reset_token' })));
    expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1);
  });
  it('that are temporary cannot be replaced by the same one', async () => {
    const email = 'temporary@example.org';
    const made = await people.identity.ask('post', '/admin/users', people.identity.admin, { email, first_name: 'A', last_name: 'B' });
    const { user_id, temporary_password: temporary } = made.body;
    const same = await people.post('/auth/password', { current_password: temporary, new_password: temporary }, { userId: user_id });
    expect([same.status, same.body.code]).toEqual([400, 'password_not_new']);
    const { reset_token } = (await people.identity.ask('post', `/admin/users/${user_id}/password-reset`, people.identity.admin)).body;
    const reset = await people.post('/auth/password-reset', { reset_token, new_password: temporary });
    expect([reset.status, reset.body.code]).toEqual([400, 'password_not_new']);
    expect((await people.signIn(email, temporary)).password_change_required).toBe(true);
    expect(
      (await people.post('/auth/password', { current_password: temporary, new_password: 'one of my own' }, { userId: user_id })).status,
    ).toBe(200);
    // A password that the user chose may be kept.
    const again = await people.post(
      '/auth/password',
      { current_password: 'one of my own', new_password: 'one of my own' },
      { userId: user_id },
    );
    expect(again.status).toBe(200);
  });
  it('that are too short are refused with a valid token, which stays valid', async () => {
    const userId = await people.signUp('short-password@example.org');
    const { reset_token } = (await people.identity.ask('post', `/admin/users/${userId}/password-reset`, people.identity.admin)).body;
    const short = await people.post('/auth/password-reset', { reset_token, new_password: 'short' });
    expect([short.body.code, short.body.errors]).toEqual([
      'invalid_body',
      [{ path: 'new_password', message: 'must have 8 to 1000 characters' }],
    ]);
    expect((await people.post('/auth/password-reset', { reset_token, new_password: 'long enough' })).status).toBe(204);
  });
});
