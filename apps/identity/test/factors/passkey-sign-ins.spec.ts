import { afterAll, describe, expect, it } from '@jest/globals';
import { type Asking, claimsOf } from '../people.ts';
import { type Deviation, rpId, SoftwareAuthenticator } from './software-authenticator.ts';
import { deviations, PasskeyWorld, tampered } from './passkey-world.ts';

const world = await PasskeyWorld.start();
afterAll(() => world?.identity.stop());

describe('a passkey as second step', () => {
  it('completes a sign-in with a password', async () => {
    const who = await world.enrolled(['Guarded']);
    expect((await world.signIn(who.email)).body.methods).toEqual(['passkey', 'recovery_code']);
    const { status, body } = await (await world.secondStep(who)).send();
    expect([status, body.user.email, body.second_factor_missing]).toEqual([200, who.email, undefined]);
  });
  it('does not have to verify its user, because the password was proved', async () => {
    expect((await (await world.secondStep(await world.enrolled(), { verifiesUser: false })).send()).status).toBe(200);
  });
  it.each([...deviations, ['another type', { type: 'webauthn.create' }], ['a changed signature', tampered]] as [string, Deviation][])(
    'is not accepted with %s',
    async (_, over) => {
      const { status, body } = await (await world.secondStep(await world.enrolled(), over)).send();
      expect([status, body.code]).toEqual([401, 'wrong_second_factor']);
    },
  );
  it('is not accepted from another user', async () => {
    const [one, other] = [await world.enrolled(), await world.enrolled()];
    const step = await world.secondStep({ email: one.email, authenticator: other.authenticator });
    expect((await step.send()).body.code).toBe('wrong_second_factor');
  });
  it("is not accepted with another user's key under the caller's credential ID", async () => {
    const [one, other] = [await world.enrolled(), await world.enrolled()];
    const step = await world.secondStep(
      { email: one.email, authenticator: other.authenticator },
      { credentialId: one.authenticator.credentialId },
    );
    expect((await step.send()).body.code).toBe('wrong_second_factor');
  });
  it('is accepted once', async () => {
    const step = await world.secondStep(await world.enrolled());
    expect((await step.send()).status).toBe(200);
    expect((await step.send()).body.code).toBe('invalid_challenge');
  });
  it('is accepted only with a counter that has grown', async () => {
    const who = await world.enrolled([], true);
    expect((await (await world.secondStep(who, { counter: 5 })).send()).status).toBe(200);
    for (const counter of [5, 4, 0])
      expect((await (await world.secondStep(who, { counter })).send()).body.code).toBe('wrong_second_factor');
    expect((await (await world.secondStep(who, { counter: 6 })).send()).status).toBe(200);
  });
  it('is not checked after ten wrong ones', async () => {
    const who = await world.enrolled();
    const bad = await world.secondStep(who, tampered);
    const answers = [];
    for (let tries = 0; tries < 11; tries++) answers.push((await bad.send()).body.code);
    expect(answers).toEqual([...Array.from({ length: 10 }, () => 'wrong_second_factor'), 'too_many_attempts']);
    expect((await (await world.secondStep(who)).send()).body.code).toBe('too_many_attempts');
  });
  it('has options only for users with a passkey', async () => {
    const step = await world.identity.ask('post', '/auth/second-factor/passkey-options', null, { challenge_token: 'not a token' });
    expect([step.status, step.body.code]).toEqual([401, 'invalid_challenge']);
  });
});

describe('a passkey alone', () => {
  it('signs its user in, and counts as a fresh second factor', async () => {
    const who = await world.enrolled(['Guarded']);
    const { status, body } = await (await world.alone(who.authenticator)).send();
    expect([status, body.user.email, body.second_factor_missing]).toEqual([200, who.email, undefined]);
    const here = { ...who, sessionId: claimsOf(body.access_token).sid };
    expect((await world.identity.ask('post', '/user/me/factors/recovery-codes', here)).status).toBe(200);
  });
  it('has options that name no user', async () => {
    const { status, body } = await world.identity.ask('post', '/auth/passkeys/options', null);
    expect([status, body]).toEqual([
      200,
      {
        challenge_token: expect.any(String),
        options: { challenge: expect.any(String), rpId, timeout: 300_000, allowCredentials: [], userVerification: 'required' },
      },
    ]);
  });
  it.each([
    ...deviations,
    ['another type', { type: 'webauthn.create' }],
    ['a changed signature', tampered],
    ['a user who was not verified', { verifiesUser: false }],
    ['another user handle', { userHandle: 'AAAA' }],
    ['no user handle', { userHandle: null }],
  ] as [string, Deviation][])('is not accepted with %s', async (_, over) => {
    const { authenticator } = await world.enrolled();
    const { status, body } = await (await world.alone(authenticator, over)).send();
    expect([status, body.code]).toEqual([401, 'wrong_passkey']);
  });
  it('gets the same answer if it is unknown as if it is wrong', async () => {
    const { authenticator } = await world.enrolled();
    const stranger = (await (await world.alone(new SoftwareAuthenticator(), { userHandle: 'AAAA' })).send()).body;
    const { request_id: _, ...wrong } = (await (await world.alone(authenticator, tampered)).send()).body;
    expect(stranger).toMatchObject({ code: wrong.code, detail: wrong.detail, status: 401 });
  });
  it('is not accepted with the challenge of a second step, nor the other way round', async () => {
    const who = await world.enrolled();
    const [step, sole] = [await world.secondStep(who), await world.alone(who.authenticator)];
    expect((await world.identity.ask('post', '/auth/passkeys', null, step.body)).body.code).toBe('invalid_challenge');
    expect((await world.identity.ask('post', '/auth/second-factor', null, sole.body)).body.code).toBe('invalid_challenge');
  });
  it('is accepted once when it is sent twenty times concurrently', async () => {
    const sole = await world.alone((await world.enrolled()).authenticator);
    const answers = await Promise.all(Array.from({ length: 20 }, sole.send));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array.from({ length: 19 }, () => 401)]);
  });
  it('does not sign in a user who is disabled', async () => {
    const { userId, authenticator } = await world.enrolled();
    await world.identity.ask('patch', `/admin/users/${userId}`, world.identity.admin, { enabled: false });
    const { status, body } = await (await world.alone(authenticator)).send();
    expect([status, body.code]).toEqual([403, 'user_disabled']);
  });
  it('keeps the refresh token in a cookie if the browser asks for it', async () => {
    const { body } = await world.alone((await world.enrolled()).authenticator);
    const answer = await world.identity.ask('post', '/auth/passkeys', null, body, { 'x-parlance-session': 'cookie' });
    expect([answer.body.refresh_token, String(answer.headers['set-cookie'])]).toEqual([undefined, expect.stringContaining('HttpOnly')]);
  });
});

describe('a step-up by a passkey', () => {
  const options = async (who: Asking) => (await world.identity.ask('post', '/user/me/step-up/passkey-options', who)).body;
  const stepUp = (who: Asking, body: object) => world.identity.ask('post', '/user/me/step-up', who, body);

  it('allows actions that need a fresh second factor, and is accepted once', async () => {
    const who = await world.enrolled();
    world.identity.later(11 * 60_000);
    expect((await world.offer(who)).code).toBe('step_up_required');
    const challenge = await options(who);
    const proof = { challenge_token: challenge.challenge_token, passkey: who.authenticator.get(challenge.options) };
    expect((await stepUp(who, proof)).status).toBe(204);
    expect((await world.offer(who)).factor_id).toEqual(expect.any(String));
    expect((await stepUp(who, proof)).body.code).toBe('invalid_challenge');
    world.identity.later(-11 * 60_000);
  });
  it('needs a challenge of this user', async () => {
    const [one, other] = [await world.enrolled(), await world.enrolled()];
    const challenge = await options(other);
    const passkey = one.authenticator.get(challenge.options);
    expect((await stepUp(one, { challenge_token: challenge.challenge_token, passkey })).body.code).toBe('invalid_challenge');
    expect((await stepUp(one, { passkey })).body.code).toBe('invalid_challenge');
  });
  it('has options only for users with a passkey', async () => {
    expect((await options(await world.person())).code).toBe('no_passkey');
  });
  it('accepts exactly one proof', async () => {
    const who = await world.enrolled();
    const challenge = await options(who);
    const both = { code: '123456', challenge_token: challenge.challenge_token, passkey: who.authenticator.get(challenge.options) };
    expect((await stepUp(who, both)).body.code).toBe('invalid_body');
  });
});
