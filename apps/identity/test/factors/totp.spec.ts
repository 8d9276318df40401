import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { newId } from '@parlance/event-store';
import { generateSync } from 'otplib';
import { type Asking, claimsOf, identityUnderTest, type IdentityUnderTest, password } from '../people.ts';

let identity: IdentityUnderTest;
beforeAll(async () => {
  identity = await identityUnderTest({ PARLANCE_REQUIRE_SECOND_FACTOR_FOR: 'Guarded' });
});
afterAll(() => identity?.stop());

const STEP_SECONDS = 30;
/** The code of the current time step, which confirms the app, or of a later step. Both are still accepted if a step ends meanwhile. */
const codeOf = (secret: string, after = 0) => generateSync({ secret, epoch: Math.floor(Date.now() / 1000) + after * STEP_SECONDS });
const signIn = (email: string) => identity.ask('post', '/auth/sign-in', null, { email, password });
const complete = (challenge_token: string, proof: object) =>
  identity.ask('post', '/auth/second-factor', null, { challenge_token, ...proof });

let people = 0;
async function person(groups: readonly string[] = []): Promise<Asking & { email: string }> {
  const email = `person${++people}@example.org`;
  const made = await identity.ask('post', '/admin/users', identity.admin, { email, password, first_name: 'P', last_name: 'Q', groups });
  const { body } = await signIn(email);
  return { email, userId: made.body.user_id, groups, sessionId: claimsOf(body.access_token).sid };
}

async function enrolled(groups: readonly string[] = []) {
  const who = await person(groups);
  const { body: offer } = await identity.ask('post', '/user/me/factors/totp', who, { current_password: password });
  const confirmed = await identity.ask('post', '/user/me/factors/totp/confirm', who, { code: codeOf(offer.secret) });
  return { ...who, secret: offer.secret as string, factorId: offer.factor_id as string, codes: confirmed.body.recovery_codes as string[] };
}

const challengeFor = async (email: string): Promise<string> => (await signIn(email)).body.challenge_token;

describe('an authenticator app', () => {
  it('is added with its first code, which shows ten recovery codes once', async () => {
    const { codes, ...who } = await enrolled();
    expect(new Set(codes).size).toBe(10);
    const { body } = await identity.ask('get', '/user/me/factors', who);
    expect(body).toEqual({
      required: false,
      proof_to_add: 'second_factor',
      factors: [{ factor_id: who.factorId, kind: 'totp', create_time: expect.any(Number) }],
      recovery_codes_left: 10,
    });
  });
  it('is not added with a code of a replaced offer', async () => {
    const who = await person();
    const { body: first } = await identity.ask('post', '/user/me/factors/totp', who, { current_password: password });
    const { body: newest } = await identity.ask('post', '/user/me/factors/totp', who, { current_password: password });
    const confirm = (body: object) => identity.ask('post', '/user/me/factors/totp/confirm', who, body);
    const refused = await confirm({ code: codeOf(newest.secret), factor_id: first.factor_id });
    expect([refused.status, refused.body.code]).toEqual([409, 'totp_not_offered']);
    expect((await confirm({ code: codeOf(newest.secret), factor_id: newest.factor_id })).status).toBe(200);
  });
  it('is required after the right password, before tokens are issued', async () => {
    const { email, secret } = await enrolled();
    const challenge = await signIn(email);
    expect([challenge.status, challenge.body]).toEqual([
      200,
      { second_factor_required: true, challenge_token: expect.any(String), methods: ['totp', 'recovery_code'] },
    ]);
    const answer = await complete(challenge.body.challenge_token, { code: codeOf(secret, 1) });
    expect([answer.status, answer.body.user.email]).toEqual([200, email]);
  });
  it('is not required after a wrong password', async () => {
    const { email } = await enrolled();
    const { status, body } = await identity.ask('post', '/auth/sign-in', null, { email, password: 'wrong password' });
    expect([status, body.code]).toEqual([401, 'wrong_credentials']);
  });
  it('is not removed without a fresh second factor', async () => {
    const who = await enrolled();
    const elsewhere = await complete(await challengeFor(who.email), { code: codeOf(who.secret, 1) });
    const fresh = { ...who, sessionId: claimsOf(elsewhere.body.access_token).sid };
    const { body } = await identity.ask('delete', `/user/me/factors/${who.factorId}`, { userId: who.userId, groups: [] });
    expect(body.code).toBe('step_up_required');
    expect((await identity.ask('delete', `/user/me/factors/${who.factorId}`, fresh)).status).toBe(204);
    expect((await signIn(who.email)).body.access_token).toEqual(expect.any(String));
  });
});

describe('a code', () => {
  it('is accepted by exactly one of many concurrent sign-ins', async () => {
    const { email, secret } = await enrolled();
    const tokens = await Promise.all([1, 2, 3, 4, 5].map(() => challengeFor(email)));
    const code = codeOf(secret, 1);
    const answers = await Promise.all(tokens.map((token) => complete(token, { code })));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 401, 401, 401, 401]);
  });
  it('for recovery is not offered if none is left', async () => {
    const { codes, email, ...who } = await enrolled();
    for (const recovery_code of codes) expect((await identity.ask('post', '/user/me/step-up', who, { recovery_code })).status).toBe(204);
    expect((await signIn(email)).body.methods).toEqual(['totp']);
  });
  it('for recovery is accepted by exactly one of many concurrent sign-ins, with or without hyphens', async () => {
    const { email, codes } = await enrolled();
    const tokens = await Promise.all([1, 2, 3, 4, 5].map(() => challengeFor(email)));
    const recovery_code = codes[0]?.replaceAll('-', '').toUpperCase();
    const answers = await Promise.all(tokens.map((token) => complete(token, { recovery_code })));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 401, 401, 401, 401]);
  });
  it('of another user is not accepted', async () => {
    const [one, other] = [await enrolled(), await enrolled()];
    const token = await challengeFor(one.email);
    expect((await complete(token, { code: codeOf(other.secret, 1) })).body.code).toBe('wrong_second_factor');
    expect((await complete(token, { recovery_code: other.codes[0] })).body.code).toBe('wrong_second_factor');
  });
  it('is not checked after ten wrong ones', async () => {
    const { email, codes } = await enrolled();
    const token = await challengeFor(email);
    const wrong = await Promise.all(Array.from({ length: 14 }, () => complete(token, { recovery_code: 'wrong' })));
    expect(wrong.filter(({ body }) => body.code === 'wrong_second_factor').length).toBeLessThanOrEqual(10);
    for (let tries = 0; tries < 11; tries++) await complete(token, { recovery_code: 'wrong' });
    expect((await complete(token, { recovery_code: codes[0] })).body.code).toBe('too_many_attempts');
  });
});

describe('a challenge token', () => {
  it('is used once', async () => {
    const { email, codes } = await enrolled();
    const token = await challengeFor(email);
    expect((await complete(token, { recovery_code: codes[0] })).status).toBe(200);
    expect((await complete(token, { recovery_code: codes[1] })).body.code).toBe('invalid_challenge');
  });
  it('is refused when it was changed', async () => {
    const { email, codes } = await enrolled();
    const token = await challengeFor(email);
    expect((await complete(`${token}A`, { recovery_code: codes[0] })).body.code).toBe('invalid_challenge');
  });
  it('is refused after the password has changed', async () => {
    const { email, codes, ...who } = await enrolled();
    const token = await challengeFor(email);
    await identity.ask('post', '/auth/password', who, { current_password: password, new_password: 'another good password' });
    expect((await complete(token, { recovery_code: codes[0] })).body.code).toBe('wrong_credentials');
  });
});

describe('a group that needs a second factor', () => {
  beforeAll(async () => {
    await identity.ask('post', '/admin/groups', identity.admin, { name: 'Guarded' });
  });
  it('allows its members only to add one, until they have', async () => {
    const { email, ...other } = await person(['Guarded']);
    const before = (await signIn(email)).body;
    const who = { ...other, sessionId: claimsOf(before.access_token).sid };
    expect([before.second_factor_missing, claimsOf(before.access_token).sfr]).toEqual([true, true]);
    const { body: offer } = await identity.ask('post', '/user/me/factors/totp', who, { current_password: password });
    await identity.ask('post', '/user/me/factors/totp/confirm', who, { code: codeOf(offer.secret) });
    const after = (await identity.ask('post', '/auth/refresh', null, { refresh_token: before.refresh_token })).body;
    expect([after.second_factor_missing, claimsOf(after.access_token).sfr]).toEqual([undefined, undefined]);
  });
});

describe('an administrator', () => {
  it('sees the kinds and times of the factors of a user, and no secrets', async () => {
    const { email, userId, secret, codes } = await enrolled();
    const list = async () => (await identity.ask('get', `/admin/users/${userId}/factors`, identity.admin)).body;
    const factor = { kind: 'totp', create_time: expect.any(Number), last_used_time: null };
    expect(await list()).toEqual({ required: false, factors: [factor], recovery_codes_left: 10 });
    await complete(await challengeFor(email), { code: codeOf(secret, 1) });
    await complete(await challengeFor(email), { recovery_code: codes[0] });
    expect(await list()).toMatchObject({ factors: [{ ...factor, last_used_time: expect.any(Number) }], recovery_codes_left: 9 });
    const unknown = await identity.ask('get', `/admin/users/${newId()}/factors`, identity.admin);
    expect([unknown.status, unknown.body.code]).toEqual([404, 'user_not_found']);
  });
  it('resets the factors of another user, but not their own', async () => {
    const { email, userId } = await enrolled();
    expect((await identity.ask('delete', `/admin/users/${userId}/factors`, identity.admin)).status).toBe(204);
    expect((await signIn(email)).body.access_token).toEqual(expect.any(String));
    const own = await identity.ask('delete', `/admin/users/${identity.admin.userId}/factors`, identity.admin);
    expect(own.body.code).toBe('own_second_factors');
    const nobody = await identity.ask('delete', '/admin/users/01K000000000000000000000ZZ/factors', identity.admin);
    expect([nobody.status, nobody.body.code]).toEqual([404, 'user_not_found']);
  });
  it('erases a user with the second factors', async () => {
    const { userId, ...who } = await enrolled();
    expect((await identity.ask('delete', `/admin/users/${userId}`, identity.admin)).status).toBe(200);
    const { status, body } = await identity.ask('post', '/user/me/factors/totp', { ...who, userId });
    expect([status, body.code]).toEqual([404, 'user_not_found']);
    expect((await identity.ask('get', '/user/me/factors', { ...who, userId })).body.factors).toEqual([]);
  });
});
