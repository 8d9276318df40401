import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { VERIFICATION_GAP_MILLIS, VERIFICATION_VALID_MILLIS } from '../src/domain/mail/email-verifications.ts';
import { EmailVerifications } from '../src/workflows/mail/email-verifications.ts';
import { origin, SoftwareAuthenticator } from './factors/software-authenticator.ts';
import { identityWithMail, type IdentityWithMail } from './mail-rig.ts';
import { adminEmail, identityUnderTest, password } from './people.ts';

const ann = 'ann@example.org';
let rig: IdentityWithMail;
let verifications: EmailVerifications;

async function start(settings: Readonly<Record<string, string>>) {
  rig = await identityWithMail(settings);
  verifications = rig.identity.app.get(EmailVerifications);
}

beforeEach(() => start({ PARLANCE_REQUIRE_VERIFIED_EMAIL: 'true' }));
afterEach(async () => {
  jest.restoreAllMocks();
  await rig.identity.stop();
});

const post = (path: string, body: object) => rig.identity.ask('post', path, null, body);
const round = async () => {
  await verifications.settleRequests();
  await rig.mails.sendDue();
};
const signUp = async (email = ann): Promise<string> => {
  const answer = await post('/auth/sign-up', { email, password, first_name: 'Ann', last_name: 'Archer' });
  await round();
  return answer.body.user_id;
};
const outcome = ({ status, body }: { status: number; body: { code?: string } }) => [status, body.code];
const signIn = async (chosen = password) => outcome(await post('/auth/sign-in', { email: ann, password: chosen }));
const token = () => rig.tokens('verification').at(-1)!;
const verify = async (linkToken: string) => outcome(await post('/auth/email-verification', { token: linkToken }));
const INVALID = [400, 'invalid_verification_token'];

describe('with requireVerifiedEmail', () => {
  it('a link is sent in the next round, however many requests of strangers precede it', async () => {
    for (let index = 0; index < 45; index++) await post('/auth/email-verification/request', { email: `stranger-${index}@example.org` });
    await signUp();
    expect(rig.server.recipients).toEqual([[ann]]);
  });
  it('a sign-up sends a link, without a name, that lets the user sign in, and works once', async () => {
    await signUp();
    expect(rig.server.recipients).toEqual([[ann]]);
    expect(rig.server.received[0]).not.toContain('Ann');
    expect(await signIn()).toEqual([403, 'email_not_verified']);
    expect(await signIn('a wrong password')).toEqual([401, 'wrong_credentials']);
    expect(await verify(token())).toEqual([204, undefined]);
    expect(await verify(token())).toEqual(INVALID);
    expect(await signIn()).toEqual([200, undefined]);
  });
  it('a passkey does not sign in a user whose address is not verified', async () => {
    await rig.identity.stop();
    await start({ PARLANCE_REQUIRE_VERIFIED_EMAIL: 'true', PARLANCE_PUBLIC_BASE_URL: origin });
    const [userId, authenticator] = [await signUp(), new SoftwareAuthenticator()];
    const { options } = (await rig.identity.ask('post', '/user/me/factors/passkeys', { userId }, { current_password: password })).body;
    const added = { name: 'Laptop', credential: authenticator.create(options) };
    expect((await rig.identity.ask('post', '/user/me/factors/passkeys/confirm', { userId }, added)).status).toBe(200);
    const withPasskey = async () => {
      const challenge = (await rig.identity.ask('post', '/auth/passkeys/options', null)).body;
      return outcome(
        await post('/auth/passkeys', { challenge_token: challenge.challenge_token, passkey: authenticator.get(challenge.options) }),
      );
    };
    expect(await withPasskey()).toEqual([403, 'email_not_verified']);
    expect(await verify(token())).toEqual([204, undefined]);
    expect(await withPasskey()).toEqual([200, undefined]);
  });
  it('users created by an administrator sign in without a mail', async () => {
    const body = { email: ann, password, first_name: 'Ann', last_name: 'Archer' };
    await rig.identity.ask('post', '/admin/users', rig.identity.admin, body);
    await round();
    expect([await signIn(), rig.server.received]).toEqual([[200, undefined], []]);
  });
  it('the sign-in options report the setting', async () => {
    expect((await rig.identity.ask('get', '/auth/options', null)).body).toMatchObject({ verified_email_required: true });
  });
});

describe('a mail that verifies an address', () => {
  it('can be requested again by anyone, with one answer for all addresses, once in five minutes', async () => {
    await signUp();
    const request = (email: string) => post('/auth/email-verification/request', { email });
    for (const email of [ann, adminEmail, 'nobody@example.org']) {
      const { status, text } = await request(email);
      expect([status, text]).toEqual([202, '']);
    }
    await round();
    expect(rig.server.recipients).toEqual([[ann]]);
    rig.identity.later(VERIFICATION_GAP_MILLIS);
    await request(ann);
    await round();
    expect(rig.server.recipients).toEqual([[ann], [ann]]);
    // The later link invalidates the earlier one.
    expect([await verify(rig.tokens('verification')[0]!), await verify(token())]).toEqual([INVALID, [204, undefined]]);
  });
  it('can be requested by the signed-in user', async () => {
    const userId = await signUp();
    rig.identity.later(VERIFICATION_GAP_MILLIS);
    expect((await rig.identity.ask('post', '/user/me/email-verification', { userId })).status).toBe(202);
    await round();
    expect(rig.server.recipients).toEqual([[ann], [ann]]);
  });
  it('has a link that is void after a day', async () => {
    await signUp();
    rig.identity.later(VERIFICATION_VALID_MILLIS);
    expect(await verify(token())).toEqual(INVALID);
  });
  it('has a link that is void after the address changed, and is no longer sent', async () => {
    const userId = await signUp();
    const scim = await rig.identity.ask('post', '/admin/scim-tokens', rig.identity.admin, { description: 'For a test' });
    const headers = { authorization: `Bearer ${scim.body.token}`, 'content-type': 'application/scim+json' };
    const patch = {
      schemas: ['urn:ietf:params:scim:api:messages:2.0:PatchOp'],
      Operations: [{ op: 'replace', path: 'userName', value: 'new@example.org' }],
    };
    expect((await rig.identity.ask('patch', `/scim/v2/Users/${userId}`, null, patch, headers)).status).toBe(200);
    expect(await verify(token())).toEqual(INVALID);
  });
  it('has a link that is not valid as a token of another kind', async () => {
    await signUp();
    expect(outcome(await post('/auth/password-reset', { reset_token: token(), new_password: 'another horse battery' }))).toEqual([
      400,
      'invalid_reset_token',
    ]);
    expect(await verify('no token')).toEqual(INVALID);
  });
});

describe('without requireVerifiedEmail', () => {
  it('a sign-up sends nothing, and the user may sign in', async () => {
    await rig.identity.stop();
    await start({});
    await signUp();
    expect([await signIn(), rig.server.received]).toEqual([[200, undefined], []]);
  });
});

describe('without a mail server', () => {
  it('requests are refused', async () => {
    const identity = await identityUnderTest();
    expect(outcome(await identity.ask('post', '/auth/email-verification/request', null, { email: ann }))).toEqual([403, 'mail_disabled']);
    await identity.stop();
  });
});
