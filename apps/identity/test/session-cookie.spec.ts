import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { claimsOf, type IdentityUnderTest, identityUnderTest, password } from './people.ts';
import { type Counterpart, openCounterpart, type People } from './oidc/oidc-counterpart.ts';
import { publicBaseUrl } from './oidc/oidc-browser.ts';
import { openRig, type OidcRig } from './oidc/oidc-rig.ts';

const wanted = { 'x-parlance-session': 'cookie' };
const attributes = (secure: boolean) => `Max-Age=2592000; Path=/auth; HttpOnly; SameSite=Strict${secure ? '; Secure' : ''}`;

describe('a browser that keeps its refresh token in a cookie', () => {
  let identity: IdentityUnderTest;
  beforeAll(async () => (identity = await identityUnderTest()));
  afterAll(() => identity.stop());

  let people = 0;
  const signUp = async () => {
    const email = `browser-${++people}@example.org`;
    await identity.ask('post', '/auth/sign-up', null, { email, password, first_name: 'A', last_name: 'B' });
    return email;
  };
  const signIn = async (email: string, headers: Record<string, string> = wanted) =>
    identity.ask('post', '/auth/sign-in', null, { email, password }, headers);
  const refresh = (headers: Record<string, string>, body?: object) => identity.ask('post', '/auth/refresh', null, body, headers);
  const cookieOf = (answer: { headers: Record<string, unknown> }) => {
    const [cookie = '', ...others] = [answer.headers['set-cookie'] ?? []].flat() as string[];
    expect(others).toEqual([]);
    return cookie;
  };
  const pairOf = (cookie: string) => cookie.split(';', 1)[0] as string;

  it('gets the token from a sign-in and from each refresh, and never in a body', async () => {
    const signedIn = await signIn(await signUp());
    expect([signedIn.status, Object.keys(signedIn.body).sort()]).toEqual([
      200,
      ['access_token', 'expires_in', 'password_change_required', 'user'],
    ]);
    const first = cookieOf(signedIn);
    expect(first).toMatch(/^parlance_refresh=prt_[\w.-]+; /);
    expect(first.slice(first.indexOf('; ') + 2)).toBe(attributes(false));

    const refreshed = await refresh({ ...wanted, cookie: `other=1; ${pairOf(first)}` });
    const second = cookieOf(refreshed);
    expect([refreshed.status, 'refresh_token' in refreshed.body, pairOf(second) === pairOf(first)]).toEqual([200, false, false]);
    expect(claimsOf(refreshed.body.access_token).sid).toBe(claimsOf(signedIn.body.access_token).sid);
    expect((await refresh({ ...wanted, cookie: pairOf(second) }, {})).status).toBe(200);
  });
  it('gets the cookie from a change of the password, and loses it when it signs out', async () => {
    const { body } = await signIn(await signUp());
    const me = { userId: claimsOf(body.access_token).sub, sessionId: claimsOf(body.access_token).sid };
    const change = { current_password: password, new_password: 'another good one' };
    const changed = await identity.ask('post', '/auth/password', me, change, wanted);
    expect([changed.status, 'refresh_token' in changed.body, pairOf(cookieOf(changed))]).toEqual([
      200,
      false,
      expect.stringMatching(/^parlance_refresh=prt_/),
    ]);
    const again = { userId: me.userId, sessionId: claimsOf(changed.body.access_token).sid };
    const out = await identity.ask('post', '/auth/sign-out', again, undefined, wanted);
    expect([out.status, cookieOf(out)]).toEqual([204, 'parlance_refresh=; Max-Age=0; Path=/auth; HttpOnly; SameSite=Strict']);
    expect((await refresh({ ...wanted, cookie: pairOf(cookieOf(changed)) })).status).toBe(401);
  });
  it('cannot be made to refresh by another site, which cannot send the header', async () => {
    const cookie = pairOf(cookieOf(await signIn(await signUp())));
    for (const body of [undefined, {}]) {
      const forged = await refresh({ cookie }, body);
      expect([forged.status, forged.body.code, forged.headers['set-cookie']]).toEqual([400, 'invalid_body', undefined]);
      expect(forged.body.errors).toEqual([{ path: 'refresh_token', message: 'must be a string' }]);
    }
    expect((await refresh({ ...wanted, cookie })).status).toBe(200);
  });
  it('does not use the cookie for a request that has its own token and not the header', async () => {
    const otherCookie = pairOf(cookieOf(await signIn(await signUp())));
    const { refresh_token, access_token } = (await signIn(await signUp(), {})).body;
    const refreshed = await refresh({ cookie: otherCookie }, { refresh_token });
    expect([refreshed.status, claimsOf(refreshed.body.access_token).sid]).toEqual([200, claimsOf(access_token).sid]);
  });
  it('is refused without a cookie, with an invalid one, and with the token in the body', async () => {
    const email = await signUp();
    const { refresh_token } = (await signIn(email, {})).body;
    for (const cookie of ['', 'other=1', 'parlance_refresh=', 'parlance_refresh=prt_x'])
      expect((await refresh({ ...wanted, ...(cookie && { cookie }) })).body.code).toBe('invalid_refresh_token');
    expect((await refresh(wanted, { refresh_token })).body.code).toBe('invalid_body');
    expect((await refresh({}, { refresh_token })).status).toBe(200);
  });
  it.each(['Cookie', 'body', '', 'cookie, cookie'])('is refused before anything happens if the header is %j', async (header) => {
    const email = await signUp();
    const refused = await signIn(email, { 'x-parlance-session': header });
    expect([refused.status, refused.body.code]).toEqual([400, 'invalid_session_header']);
    const { user_id } = (await signIn(email, {})).body.user;
    expect((await identity.ask('get', '/auth/sessions', { userId: user_id })).body.sessions).toHaveLength(1);
  });
  it('is not affected if it does not send the header', async () => {
    const answer = await signIn(await signUp(), {});
    expect([answer.body.refresh_token, answer.headers['set-cookie']]).toEqual([expect.stringMatching(/^prt_/), undefined]);
  });
});

describe('a browser that signs in at a provider', () => {
  const who: People = { ann: { email: 'ann@example.org', email_verified: true, given_name: 'Ann', family_name: 'Archer' } };
  let acme: Counterpart;
  let rig: OidcRig;
  beforeAll(async () => {
    acme = await openCounterpart(who, { redirectUris: [`${publicBaseUrl}/auth/oidc/acme/callback`], secret: 'not a secret' });
    const settings = { issuer: acme.issuer, client_id: 'parlance', client_secret: 'not a secret' };
    rig = await openRig(
      { acme: { ...settings, name: 'Acme Inc.' }, plain: settings },
      { PARLANCE_SELF_SIGN_UP_ENABLED: 'false', PARLANCE_ALLOWED_SIGN_UP_EMAIL_DOMAINS: 'example.org' },
    );
  });
  afterAll(async () => {
    await rig.stop();
    await acme.stop();
  });

  it('gets its refresh token in a cookie if that was requested', async () => {
    const browser = rig.browser('ann');
    const { status, headers, body } = await browser.signIn('acme', '?session=cookie');
    expect([status, 'refresh_token' in body]).toEqual([200, false]);
    const cookies = headers['set-cookie'] as unknown as string[];
    expect(cookies.map((cookie) => cookie.split('=', 1)[0])).toEqual(['parlance_oidc', 'parlance_refresh']);
    expect(cookies[1]?.slice(cookies[1].indexOf('; ') + 2)).toBe(attributes(true));
  });
  it('gets no refresh token in the fragment if it is in a cookie', async () => {
    const { status, headers } = await rig.browser('ann').signIn('acme', '?session=cookie&return_to=/app/');
    const handed = new URLSearchParams(String(headers['location']).split('#')[1]);
    expect([status, [...handed.keys()]]).toEqual([302, ['access_token', 'expires_in']]);
    expect(String(headers['set-cookie'])).toContain('parlance_refresh=prt_');
  });
  it('gets the refresh token in the fragment if no cookie was requested', async () => {
    const { headers } = await rig.browser('ann').signIn('acme', '?return_to=/app/');
    expect(String(headers['location'])).toContain('refresh_token=prt_');
    expect(String(headers['set-cookie'])).not.toContain('parlance_refresh');
  });
  it('gets the list of providers', async () => {
    const { status, body } = await rig.browser(null).get('/auth/options');
    expect([status, body]).toEqual([
      200,
      {
        sign_up_enabled: false,
        verified_email_required: false,
        password_reset_by_mail: false,
        passkeys: true,
        allowed_sign_up_email_domains: ['example.org'],
        providers: [
          { id: 'acme', name: 'Acme Inc.', start_url: `${publicBaseUrl}/auth/oidc/acme/start` },
          { id: 'plain', name: 'plain', start_url: `${publicBaseUrl}/auth/oidc/plain/start` },
        ],
      },
    ]);
  });
});
