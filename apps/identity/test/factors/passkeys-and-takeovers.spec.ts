import { afterAll, describe, expect, it, jest } from '@jest/globals';
import { EndSessionsThatAreOver } from '../../src/policies/end-sessions-that-are-over.ts';
import { SecondFactors } from '../../src/workflows/factors/second-factors.ts';
import { Sessions } from '../../src/workflows/sessions.ts';
import { type Asking, claimsOf, password } from '../people.ts';
import { scimUnderTest } from '../scim/scim-rig.ts';
import { origin, SoftwareAuthenticator } from './software-authenticator.ts';

// The policy is disabled, because a passkey must be void when the takeover is answered, not when this policy removes it.
jest.spyOn(EndSessionsThatAreOver.prototype, 'onPasswordChanged').mockResolvedValue();
const { identity, scim } = await scimUnderTest({ PARLANCE_PUBLIC_BASE_URL: origin });
afterAll(async () => {
  await identity.stop();
  jest.restoreAllMocks();
});

let people = 0;
/** A person who has signed up with another person's address. */
async function stranger(): Promise<Asking> {
  const email = `victim${++people}@example.org`;
  await identity.ask('post', '/auth/sign-up', null, { email, password, first_name: 'A', last_name: 'B' });
  const { body } = await identity.ask('post', '/auth/sign-in', null, { email, password });
  return { userId: body.user.user_id, groups: [], sessionId: claimsOf(body.access_token).sid };
}
async function takeOver({ userId }: Asking): Promise<void> {
  expect((await scim.operations(`/Users/${userId}`, { op: 'replace', path: 'externalId', value: userId })).status).toBe(200);
}
const offer = async (who: Asking) =>
  (await identity.ask('post', '/user/me/factors/passkeys', who, { current_password: password })).body.options;
async function add(who: Asking, authenticator: SoftwareAuthenticator, options?: object) {
  const credential = authenticator.create((options ?? (await offer(who))) as never);
  const { status, body } = await identity.ask('post', '/user/me/factors/passkeys/confirm', who, { name: 'Laptop', credential });
  return [status, body.code];
}
async function signInWith(authenticator: SoftwareAuthenticator) {
  const { challenge_token, options } = (await identity.ask('post', '/auth/passkeys/options', null)).body;
  const { status, body } = await identity.ask('post', '/auth/passkeys', null, { challenge_token, passkey: authenticator.get(options) });
  return [status, body.code];
}

describe('after an account passed to the user of a provider', () => {
  it('the passkey of the person who had signed up begins no session', async () => {
    const [who, authenticator] = [await stranger(), new SoftwareAuthenticator()];
    expect(await add(who, authenticator)).toEqual([200, undefined]);
    expect(await signInWith(authenticator)).toEqual([200, undefined]);
    await takeOver(who);
    expect(await signInWith(authenticator)).toEqual([401, 'wrong_passkey']);
  });
  it('a sign-in with a passkey that was accepted just before begins no session for that person', async () => {
    const [who, authenticator] = [await stranger(), new SoftwareAuthenticator()];
    expect(await add(who, authenticator)).toEqual([200, undefined]);
    const factors = identity.app.get(SecondFactors);
    const accept = factors.accepted.bind(factors);
    const accepted = jest.spyOn(factors, 'accepted').mockImplementationOnce(async (...given) => {
      const provedAt = await accept(...given);
      await takeOver(who);
      return provedAt;
    });
    expect(await signInWith(authenticator)).toEqual([401, 'wrong_credentials']);
    expect(await accepted.mock.results[0]?.value).toEqual(expect.any(Number));
    accepted.mockRestore();
  });
  it('no passkey is added in a session of that person', async () => {
    const [who, authenticator] = [await stranger(), new SoftwareAuthenticator()];
    const options = await offer(who);
    await takeOver(who);
    expect(await add(who, authenticator, options)).toEqual([401, 'invalid_token']);
    expect((await identity.ask('post', '/user/me/factors/totp', who)).body.code).toBe('invalid_token');
    expect(await signInWith(authenticator)).toEqual([401, 'wrong_passkey']);
  });
  it('a passkey of the new user, who has no password, does not replace the sign-in through the provider', async () => {
    const [{ userId }, authenticator] = [await stranger(), new SoftwareAuthenticator()];
    await takeOver({ userId });
    const { access_token } = await identity.app.get(Sessions).begin(userId, 'acme');
    expect(await add({ userId, sessionId: claimsOf(access_token).sid }, authenticator)).toEqual([200, undefined]);
    expect(await signInWith(authenticator)).toEqual([403, 'provider_required']);
  });
});
