import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Asking, claimsOf, identityUnderTest, type IdentityUnderTest, password } from '../people.ts';
import { type Deviation, origin, rpId, SoftwareAuthenticator } from './software-authenticator.ts';

let identity: IdentityUnderTest;
beforeAll(async () => {
  identity = await identityUnderTest({
    PARLANCE_PUBLIC_BASE_URL: origin,
    PARLANCE_CONSOLE_ORIGINS: 'https://console.parlance.example.org',
    PARLANCE_REQUIRE_SECOND_FACTOR_FOR: 'Guarded',
  });
  await identity.ask('post', '/admin/groups', identity.admin, { name: 'Guarded' });
});
afterAll(() => identity?.stop());

const signIn = (email: string) => identity.ask('post', '/auth/sign-in', null, { email, password });
type Person = Asking & { readonly email: string };
let people = 0;
async function person(groups: readonly string[] = []): Promise<Person> {
  const email = `person${++people}@example.org`;
  const made = await identity.ask('post', '/admin/users', identity.admin, { email, password, first_name: 'P', last_name: 'Q', groups });
  const { body } = await signIn(email);
  return { email, userId: made.body.user_id, groups, sessionId: claimsOf(body.access_token).sid };
}

const offer = async (who: Asking) => (await identity.ask('post', '/user/me/factors/passkeys', who)).body;
const confirm = (who: Asking, credential: object, name = 'Laptop') =>
  identity.ask('post', '/user/me/factors/passkeys/confirm', who, { name, credential });

async function enrolled(groups: readonly string[] = [], counts = false) {
  const who = await person(groups);
  const authenticator = new SoftwareAuthenticator(counts);
  const { body } = await confirm(who, authenticator.create((await offer(who)).options));
  return { ...who, authenticator, factorId: body.factor_id as string, codes: body.recovery_codes as string[] };
}

/** All commits as they are stored, oldest first. */
function commits(): string[] {
  const db = new DatabaseSync(join(identity.host.config.dataDir, 'identity.db'), { readOnly: true });
  const rows = db.prepare('SELECT * FROM commits ORDER BY position').all();
  db.close();
  return rows.map((row) => JSON.stringify(row));
}

/** The second step of a sign-in with a password. */
async function secondStep({ email, authenticator }: { email: string; authenticator: SoftwareAuthenticator }, over: Deviation = {}) {
  const { challenge_token } = (await signIn(email)).body;
  const { options } = (await identity.ask('post', '/auth/second-factor/passkey-options', null, { challenge_token })).body;
  const body = { challenge_token, passkey: authenticator.get(options, over) };
  return { body, send: () => identity.ask('post', '/auth/second-factor', null, body) };
}

/** A sign-in with the passkey alone. */
async function alone(authenticator: SoftwareAuthenticator, over: Deviation = {}) {
  const { challenge_token, options } = (await identity.ask('post', '/auth/passkeys/options', null)).body;
  const body = { challenge_token, passkey: authenticator.get(options, over) };
  return { body, send: () => identity.ask('post', '/auth/passkeys', null, body) };
}

const tampered: Deviation = { tamper: (signature) => Buffer.concat([signature.subarray(0, -1), Buffer.from([signature.at(-1)! ^ 1])]) };
const deviations: readonly [string, Deviation][] = [
  ['another challenge', { challenge: 'AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA' }],
  ['another origin', { origin: 'https://parlance.example.com' }],
  ['an origin with another port', { origin: `${origin}:8443` }],
  ['another relying party', { rpId: 'example.org' }],
  ['no user present', { userPresent: false }],
];

describe('a passkey', () => {
  it('is added, with ten recovery codes as the first factor, and listed by its name', async () => {
    const { codes, ...who } = await enrolled();
    expect(new Set(codes).size).toBe(10);
    expect((await identity.ask('get', '/user/me/factors', who)).body).toEqual({
      required: false,
      factors: [{ factor_id: who.factorId, kind: 'passkey', create_time: expect.any(Number), name: 'Laptop', backed_up: true }],
      recovery_codes_left: 10,
    });
  });
  it('is stored without its name, credential ID and user in the clear', async () => {
    const { authenticator, email } = await enrolled();
    const log = commits().join();
    expect(log).toContain('PasskeyAdded');
    for (const text of ['Laptop', authenticator.credentialId.toString('base64url'), email]) expect(log).not.toContain(text);
  });
  it('has options with the user and the passkeys that exist', async () => {
    const who = await enrolled();
    const { options } = await offer(who);
    expect(options).toMatchObject({
      rp: { id: rpId },
      user: { id: Buffer.from(who.userId).toString('base64url'), name: who.email },
      attestation: 'none',
      excludeCredentials: [{ id: who.authenticator.credentialId.toString('base64url'), transports: ['internal', 'hybrid'] }],
    });
  });
  it('has the same challenge in the repeated answer to one request, and another one for the next', async () => {
    const who = await person();
    const nid = '01K00000000000000000000001';
    const first = await identity.ask('post', '/user/me/factors/passkeys', who, undefined, { nid });
    const again = await identity.ask('post', '/user/me/factors/passkeys', who, undefined, { nid });
    const next = await identity.ask('post', '/user/me/factors/passkeys', who);
    expect(again.body).toEqual(first.body);
    expect(next.body.options.challenge).not.toBe(first.body.options.challenge);
  });
  it.each([...deviations, ['another type', { type: 'webauthn.get' }], ['certificates', { format: 'packed' }]] as [string, Deviation][])(
    'is not added with %s',
    async (_, over) => {
      const who = await person();
      const { status, body } = await confirm(who, new SoftwareAuthenticator().create((await offer(who)).options, over));
      expect([status, body.code]).toEqual([400, 'invalid_passkey']);
      expect((await identity.ask('get', '/user/me/factors', who)).body.factors).toEqual([]);
    },
  );
  it('is added in a page of an origin of the console', async () => {
    const who = await person();
    const made = new SoftwareAuthenticator().create((await offer(who)).options, { origin: 'https://console.parlance.example.org' });
    expect((await confirm(who, made)).status).toBe(200);
  });
  it('is not added without an offer', async () => {
    const who = await person();
    const { options } = await offer(await person());
    expect((await confirm(who, new SoftwareAuthenticator().create(options))).body.code).toBe('passkey_not_offered');
  });
  it('is not added with the offer of another user', async () => {
    const [who, other] = [await person(), await person()];
    await offer(who);
    const { options } = await offer(other);
    expect((await confirm(who, new SoftwareAuthenticator().create(options))).body.code).toBe('invalid_passkey');
  });
  it('is added once, and a repeated request answers the same without recovery codes', async () => {
    const who = await person();
    const made = new SoftwareAuthenticator().create((await offer(who)).options);
    const first = (await confirm(who, made)).body;
    const again = await confirm(who, made);
    expect([again.status, again.body]).toEqual([200, { factor_id: first.factor_id }]);
  });
  it('is not added to two users, also when both add it at the same time', async () => {
    const authenticator = new SoftwareAuthenticator();
    const two = [await person(), await person()];
    const made = await Promise.all(two.map(async (who) => authenticator.create((await offer(who)).options)));
    const answers = await Promise.all(two.map((who, index) => confirm(who, made[index]!)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
    expect(answers.find(({ status }) => status === 409)?.body.code).toBe('passkey_taken');
    const factors = await Promise.all(two.map(async (who) => (await identity.ask('get', '/user/me/factors', who)).body.factors.length));
    expect(factors.sort()).toEqual([0, 1]);
  });
  it('of another user is refused before anything is written, so that the offer is still open', async () => {
    const [{ authenticator }, who] = [await enrolled(), await person()];
    const { options } = await offer(who);
    expect((await confirm(who, authenticator.create(options))).body.code).toBe('passkey_taken');
    expect((await confirm(who, new SoftwareAuthenticator().create(options))).status).toBe(200);
  });
  it('needs a fresh second factor if the user has one, to be offered and to be added', async () => {
    const who = await enrolled();
    const elsewhere = { ...who, sessionId: 'other' };
    expect((await offer(elsewhere)).code).toBe('step_up_required');
    const made = new SoftwareAuthenticator().create((await offer(who)).options);
    expect((await confirm(elsewhere, made)).body.code).toBe('step_up_required');
    expect((await confirm(who, made)).status).toBe(200);
  });
  it('is free for another user after it was removed, was reset, or its user was erased', async () => {
    const ways: ((who: Asking, factorId: string) => Promise<{ status: number }>)[] = [
      async (who, factorId) => identity.ask('delete', `/user/me/factors/${factorId}`, who),
      async ({ userId }) => identity.ask('delete', `/admin/users/${userId}/factors`, identity.admin),
      async ({ userId }) => identity.ask('delete', `/admin/users/${userId}`, identity.admin),
    ];
    for (const lose of ways) {
      const { authenticator, factorId, ...who } = await enrolled();
      expect((await lose(who, factorId)).status).toBeLessThan(300);
      const ofClaim = commits().filter((commit) => /PasskeyClaimed|PasskeyReleased/.test(commit) && commit.includes(who.userId));
      expect(ofClaim).toEqual([expect.stringContaining('PasskeyClaimed'), expect.stringContaining('PasskeyReleased')]);
      expect((await (await alone(authenticator)).send()).body.code).toBe('wrong_passkey');
      const next = await person();
      expect((await confirm(next, authenticator.create((await offer(next)).options))).status).toBe(200);
      expect((await (await alone(authenticator)).send()).body.user.email).toBe(next.email);
    }
  });
});

describe('a passkey as second step', () => {
  it('completes a sign-in with a password', async () => {
    const who = await enrolled(['Guarded']);
    expect((await signIn(who.email)).body.methods).toEqual(['passkey', 'recovery_code']);
    const { status, body } = await (await secondStep(who)).send();
    expect([status, body.user.email, body.second_factor_missing]).toEqual([200, who.email, undefined]);
  });
  it('need not verify its user, because the password was proved', async () => {
    expect((await (await secondStep(await enrolled(), { verifiesUser: false })).send()).status).toBe(200);
  });
  it.each([...deviations, ['another type', { type: 'webauthn.create' }], ['a changed signature', tampered]] as [string, Deviation][])(
    'is not accepted with %s',
    async (_, over) => {
      const { status, body } = await (await secondStep(await enrolled(), over)).send();
      expect([status, body.code]).toEqual([401, 'wrong_second_factor']);
    },
  );
  it('is not accepted from another user', async () => {
    const [one, other] = [await enrolled(), await enrolled()];
    const step = await secondStep({ email: one.email, authenticator: other.authenticator });
    expect((await step.send()).body.code).toBe('wrong_second_factor');
  });
  it('is not accepted with the key of another user under an own credential ID', async () => {
    const [one, other] = [await enrolled(), await enrolled()];
    const step = await secondStep(
      { email: one.email, authenticator: other.authenticator },
      { credentialId: one.authenticator.credentialId },
    );
    expect((await step.send()).body.code).toBe('wrong_second_factor');
  });
  it('is accepted once', async () => {
    const step = await secondStep(await enrolled());
    expect((await step.send()).status).toBe(200);
    expect((await step.send()).body.code).toBe('invalid_challenge');
  });
  it('is accepted only with a counter that has grown', async () => {
    const who = await enrolled([], true);
    expect((await (await secondStep(who, { counter: 5 })).send()).status).toBe(200);
    for (const counter of [5, 4, 0]) expect((await (await secondStep(who, { counter })).send()).body.code).toBe('wrong_second_factor');
    expect((await (await secondStep(who, { counter: 6 })).send()).status).toBe(200);
  });
  it('is not looked at after ten wrong ones', async () => {
    const who = await enrolled();
    const bad = await secondStep(who, tampered);
    const answers = [];
    for (let tries = 0; tries < 11; tries++) answers.push((await bad.send()).body.code);
    expect(answers).toEqual([...Array.from({ length: 10 }, () => 'wrong_second_factor'), 'too_many_attempts']);
    expect((await (await secondStep(who)).send()).body.code).toBe('too_many_attempts');
  });
  it('has options only for users with a passkey', async () => {
    const step = await identity.ask('post', '/auth/second-factor/passkey-options', null, { challenge_token: 'not a token' });
    expect([step.status, step.body.code]).toEqual([401, 'invalid_challenge']);
  });
});

describe('a passkey alone', () => {
  it('signs its user in, with a second factor that is fresh', async () => {
    const who = await enrolled(['Guarded']);
    const { status, body } = await (await alone(who.authenticator)).send();
    expect([status, body.user.email, body.second_factor_missing]).toEqual([200, who.email, undefined]);
    const here = { ...who, sessionId: claimsOf(body.access_token).sid };
    expect((await identity.ask('post', '/user/me/factors/recovery-codes', here)).status).toBe(200);
  });
  it('has options that name no user', async () => {
    const { status, body } = await identity.ask('post', '/auth/passkeys/options', null);
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
    const { authenticator } = await enrolled();
    const { status, body } = await (await alone(authenticator, over)).send();
    expect([status, body.code]).toEqual([401, 'wrong_passkey']);
  });
  it('that is unknown gets the same answer as a wrong one', async () => {
    const { authenticator } = await enrolled();
    const stranger = (await (await alone(new SoftwareAuthenticator(), { userHandle: 'AAAA' })).send()).body;
    const { request_id: _, ...wrong } = (await (await alone(authenticator, tampered)).send()).body;
    expect(stranger).toMatchObject({ code: wrong.code, detail: wrong.detail, status: 401 });
  });
  it('is not accepted with the challenge of a second step, nor the reverse', async () => {
    const who = await enrolled();
    const [step, sole] = [await secondStep(who), await alone(who.authenticator)];
    expect((await identity.ask('post', '/auth/passkeys', null, step.body)).body.code).toBe('invalid_challenge');
    expect((await identity.ask('post', '/auth/second-factor', null, sole.body)).body.code).toBe('invalid_challenge');
  });
  it('is accepted once of twenty concurrent times', async () => {
    const sole = await alone((await enrolled()).authenticator);
    const answers = await Promise.all(Array.from({ length: 20 }, sole.send));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array.from({ length: 19 }, () => 401)]);
  });
  it('does not sign in a user who is disabled', async () => {
    const { userId, authenticator } = await enrolled();
    await identity.ask('patch', `/admin/users/${userId}`, identity.admin, { enabled: false });
    const { status, body } = await (await alone(authenticator)).send();
    expect([status, body.code]).toEqual([403, 'user_disabled']);
  });
  it('keeps the refresh token in a cookie if the browser asks for it', async () => {
    const { body } = await alone((await enrolled()).authenticator);
    const answer = await identity.ask('post', '/auth/passkeys', null, body, { 'x-parlance-session': 'cookie' });
    expect([answer.body.refresh_token, String(answer.headers['set-cookie'])]).toEqual([undefined, expect.stringContaining('HttpOnly')]);
  });
});

describe('a step-up by a passkey', () => {
  const options = async (who: Asking) => (await identity.ask('post', '/user/me/step-up/passkey-options', who)).body;
  const stepUp = (who: Asking, body: object) => identity.ask('post', '/user/me/step-up', who, body);

  it('allows what needs a fresh second factor, once', async () => {
    const who = await enrolled();
    identity.later(11 * 60_000);
    expect((await offer(who)).code).toBe('step_up_required');
    const asked = await options(who);
    const proof = { challenge_token: asked.challenge_token, passkey: who.authenticator.get(asked.options) };
    expect((await stepUp(who, proof)).status).toBe(204);
    expect((await offer(who)).factor_id).toEqual(expect.any(String));
    expect((await stepUp(who, proof)).body.code).toBe('invalid_challenge');
    identity.later(-11 * 60_000);
  });
  it('needs a challenge of this user', async () => {
    const [one, other] = [await enrolled(), await enrolled()];
    const asked = await options(other);
    const passkey = one.authenticator.get(asked.options);
    expect((await stepUp(one, { challenge_token: asked.challenge_token, passkey })).body.code).toBe('invalid_challenge');
    expect((await stepUp(one, { passkey })).body.code).toBe('invalid_challenge');
  });
  it('has options only for users with a passkey', async () => {
    expect((await options(await person())).code).toBe('no_passkey');
  });
  it('takes one proof', async () => {
    const who = await enrolled();
    const asked = await options(who);
    const both = { code: '123456', challenge_token: asked.challenge_token, passkey: who.authenticator.get(asked.options) };
    expect((await stepUp(who, both)).body.code).toBe('invalid_body');
  });
});

describe('an answer of an authenticator', () => {
  it.each<[string, (made: { response: object }) => object]>([
    ['has no response', ({ response: _, ...rest }) => rest],
    ['has another rawId', (made) => ({ ...made, rawId: 'AAAA' })],
    ['is too long', (made) => ({ ...made, response: { ...made.response, attestationObject: 'A'.repeat(6_001) } })],
    ['is not base64url', (made) => ({ ...made, response: { ...made.response, clientDataJSON: '{}' } })],
    ['has transports that are no list', (made) => ({ ...made, response: { ...made.response, transports: 'usb' } })],
  ])('is refused if it %s', async (_, change) => {
    const who = await person();
    const made = new SoftwareAuthenticator().create((await offer(who)).options);
    const { status, body } = await confirm(who, change(made));
    expect([status, body.code, body.errors?.[0]?.path]).toEqual([400, 'invalid_body', 'credential']);
  });
  it('may have members that a newer browser adds', async () => {
    const who = await person();
    const made = new SoftwareAuthenticator().create((await offer(who)).options);
    const { status } = await confirm(who, { ...made, newer: 1, response: { ...made.response, publicKeyAlgorithm: -7 } });
    expect(status).toBe(200);
  });
});
