import { afterAll, describe, expect, it } from '@jest/globals';
import request from 'supertest';
import { asking } from '../people.ts';
import { type Lie, openLiar } from './oidc-liar.ts';
import { claimsIn, openRig } from './oidc-rig.ts';

const liar = await openLiar();
const plain = { issuer: liar.issuer, client_id: 'parlance', group_mapping: { staff: 'Admin' } };
const settings = { PARLANCE_REQUIRE_SECOND_FACTOR_FOR: 'Admin' };
const rig = await openRig({ trusted: { ...plain, accepted_acr: ['urn:mfa', 'urn:key'], accepted_amr: ['mfa', 'hwk'] }, plain }, settings);
afterAll(async () => {
  await rig?.stop();
  await liar?.stop();
});

const nowSeconds = () => Math.floor(Date.now() / 1000);

/** Signs in an Admin at a provider that states these claims. */
async function signIn(claims: object, provider = 'trusted', over: Lie = {}) {
  const { status, body } = await answerTo(claims, provider, over);
  expect(status).toBe(200);
  return body;
}
async function answerTo(claims: object, provider = 'trusted', over: Lie = {}, query = '') {
  const browser = rig.browser('ann');
  const { state, nonce } = Object.fromEntries(await authorizationRequest(provider, query, browser));
  Object.assign(liar, { nonce, lie: { ...over, claims: { groups: ['staff'], ...claims, ...over.claims } } });
  return browser.get(`/auth/oidc/${provider}/callback?code=x&state=${state}`);
}
/** The parameters of the authorization request. */
async function authorizationRequest(provider: string, query = '', browser = rig.browser('ann')): Promise<URLSearchParams> {
  const { headers } = await browser.get(`/auth/oidc/${provider}/start${query}`);
  return new URL(String(headers['location'])).searchParams;
}

/** The answer to a request that needs a fresh second factor. */
async function freshness({ access_token, user }: { access_token: string; user: { user_id: string } }) {
  const who = { userId: user.user_id, groups: ['Admin'], sessionId: claimsIn(access_token).sid };
  const { status, body } = await asking(rig)('post', '/admin/scim-tokens', who, { description: 'a directory' });
  return [status, body.code];
}

describe('a second factor that a provider has asked for', () => {
  it.each<[string, object]>([
    ['acr', { acr: 'urn:mfa' }],
    ['amr', { amr: ['pwd', 'mfa'] }],
  ])('is enough for a group that needs one, by %s, even after a refresh', async (_, claims) => {
    const begun = await signIn(claims);
    expect([begun.second_factor_missing, claimsIn(begun.access_token).sfr]).toEqual([undefined, undefined]);
    const { body } = await rig.post('/auth/refresh', { refresh_token: begun.refresh_token });
    expect([body.second_factor_missing, claimsIn(body.access_token).sfr]).toEqual([undefined, undefined]);
  });
  it.each<[string, object, string, Lie]>([
    ['no claim states one', {}, 'trusted', {}],
    ['another value is stated', { acr: '1', amr: ['pwd'] }, 'trusted', {}],
    ['another provider states it', { acr: 'urn:mfa', amr: ['mfa'] }, 'plain', {}],
    [
      'the userinfo alone states it',
      { email: undefined },
      'trusted',
      { userinfo: { sub: 'ann', email: 'liar@example.org', email_verified: true, acr: 'urn:mfa', amr: ['mfa'] } },
    ],
  ])('is missing if %s', async (_, claims, provider, over) => {
    const { second_factor_missing, access_token } = await signIn(claims, provider, over);
    expect([second_factor_missing, claimsIn(access_token).sfr]).toEqual([true, true]);
  });
  it('is fresh for ten minutes after the time that the provider states', async () => {
    expect(await freshness(await signIn({ acr: 'urn:mfa', auth_time: nowSeconds() }))).toEqual([201, undefined]);
    expect(await freshness(await signIn({ acr: 'urn:mfa', auth_time: nowSeconds() - 601 }))).toEqual([403, 'step_up_required']);
  });
  it('counts for personal access tokens, which are void without one', async () => {
    const usable = async (claims: object) => {
      const { access_token, user } = await signIn(claims);
      const who = { userId: user.user_id, groups: ['Admin'], sessionId: claimsIn(access_token).sid };
      const { body } = await asking(rig)('post', '/user/me/tokens', who, { description: 'a program', scopes: ['chat'] });
      return (await request(rig.server).get(`/internal/personal-tokens/${body.token_id}`).set(rig.asService('edge'))).body.usable;
    };
    expect([await usable({ amr: ['mfa'] }), await usable({})]).toEqual([true, false]);
  });
  it('is not fresh if the provider states no time', async () => {
    expect(await freshness(await signIn({ amr: ['hwk'] }))).toEqual([403, 'step_up_required']);
  });
});

describe('the authorization request', () => {
  it('asks for the accepted values of acr, in order, and for none if none is accepted', async () => {
    expect((await authorizationRequest('trusted')).get('acr_values')).toBe('urn:mfa urn:key');
    expect((await authorizationRequest('plain')).has('acr_values')).toBe(false);
  });
  it('asks for a sign-in in the last five minutes only if a fresh one is requested', async () => {
    expect((await authorizationRequest('trusted', '?fresh=true')).get('max_age')).toBe('300');
    expect((await authorizationRequest('trusted')).has('max_age')).toBe(false);
    expect((await authorizationRequest('trusted', '?fresh=false')).has('max_age')).toBe(false);
  });
});

describe('a fresh sign-in at a provider', () => {
  const fresh = async (claims: object) => answerTo(claims, 'trusted', {}, '?fresh=true');
  it('counts as a fresh second factor', async () => {
    const { status, body } = await fresh({ acr: 'urn:mfa', auth_time: nowSeconds() - 200 });
    expect(status).toBe(200);
    expect(await freshness(body)).toEqual([201, undefined]);
  });
  // The library allows clocks to differ by 30 seconds.
  it.each([
    ['is older', { acr: 'urn:mfa', auth_time: nowSeconds() - 400 }],
    ['has no time', { acr: 'urn:mfa' }],
  ])('is refused if it %s', async (_, claims) => {
    const { status, body } = await fresh(claims);
    expect([status, body.code]).toEqual([401, 'oidc_refused']);
  });
  it('may be older if no fresh one was requested', async () => {
    expect((await answerTo({ acr: 'urn:mfa', auth_time: nowSeconds() - 400 })).status).toBe(200);
  });
});
