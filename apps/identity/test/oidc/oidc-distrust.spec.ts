import { createServer } from 'node:http';
import { afterAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { OidcClient } from '../../src/adapters/oidc-client.ts';
import { addressOf, stopServer } from './oidc-counterpart.ts';
import { type Lie, openLiar } from './oidc-liar.ts';
import { openRig } from './oidc-rig.ts';

let liar: Awaited<ReturnType<typeof openLiar>>;
let hung: Awaited<ReturnType<typeof openLiar>>;
let failing: Awaited<ReturnType<typeof openLiar>>;
[liar, hung, failing] = await Promise.all([openLiar(), openLiar(), openLiar()]);
const closed = createServer();
const gone = await addressOf(closed);
await stopServer(closed);
const client_id = 'parlance';
const rig = await openRig({
  liar: { issuer: liar.issuer, client_id, client_secret: 'a b:c', group_mapping: { staff: 'PublishAllowed' } },
  renamed: { issuer: liar.issuer.replace('127.0.0.1', 'localhost'), client_id },
  hung: { issuer: hung.issuer, client_id },
  failing: { issuer: failing.issuer, client_id },
  gone: { issuer: gone, client_id },
});
beforeEach(() => {
  Object.assign(liar, { lie: {}, status: 200, silent: false, requested: [] });
});
afterAll(async () => {
  await rig.stop();
  await Promise.all([liar.stop(), hung.stop(), failing.stop()]);
});

/** The result of a sign-in at a provider with this lie. `query` is appended to the query of a correct answer. */
async function signIn(lie: Lie, query = '') {
  const browser = rig.browser('ann');
  const { headers } = await browser.get('/auth/oidc/liar/start');
  const { state, nonce } = Object.fromEntries(new URL(String(headers['location'])).searchParams);
  Object.assign(liar, { nonce, lie });
  return browser.get(`/auth/oidc/liar/callback?code=x&state=${state}${query}`);
}

describe('an ID token', () => {
  it('is accepted if everything is right', async () => expect((await signIn({})).status).toBe(200));

  it.each<[string, Lie]>([
    ['for another sign-in', { claims: { nonce: 'another' } }],
    ['for none', { claims: { nonce: undefined } as never }],
    ['of another issuer', { claims: { iss: 'https://id.example.org' } }],
    ['for another client', { claims: { aud: 'somebody-else' } }],
    ['that has expired', { claims: { exp: 1 } }],
    ['without a subject', { claims: { sub: undefined } as never }],
    ['signed by another key', { forged: true }],
    ['without a signature', { unsigned: true }],
    [
      'whose userinfo belongs to another user',
      { claims: { email: undefined } as never, userinfo: { sub: 'ben', email: 'ben@example.org', email_verified: true } },
    ],
  ])('%s is refused', async (_, lie) => {
    const { status, body } = await signIn(lie);
    expect([status, body.code]).toEqual([401, 'oidc_refused']);
  });

  it('of a provider other than the one the browser comes from is refused', async () =>
    expect((await signIn({}, '&iss=https://id.example.org')).body.code).toBe('oidc_refused'));
});

describe('claims', () => {
  const verified = { email: 'liar@example.org', email_verified: true };

  it('are requested from the userinfo endpoint if the ID token lacks them', async () => {
    const { status } = await signIn({ claims: { email: undefined } as never, userinfo: { sub: 'ann', ...verified, groups: ['staff'] } });
    expect([status, liar.requested.includes('/userinfo')]).toEqual([200, true]);
  });
  it('for an address and for its verification come from one source', async () => {
    const claims = { sub: 'mix', email: 'victim@example.org', email_verified: undefined } as never;
    const { body } = await signIn({ claims, userinfo: { sub: 'mix', email: 'own@example.org', email_verified: true } });
    expect([body.user?.email ?? body.code]).toEqual(['own@example.org']);
    const half = {
      claims: { sub: 'half', email: 'victim@example.org', email_verified: undefined } as never,
      userinfo: { sub: 'half', email_verified: true },
    };
    expect((await signIn(half)).body.code).toBe('email_not_verified');
  });
});

describe('an unavailable provider', () => {
  it.each(['gone', 'renamed', 'failing'])('is a 503: %s', async (name) => {
    failing.status = 500;
    const { status, body, headers } = await rig.browser('ann').get(`/auth/oidc/${name}/start`);
    expect([status, body.code, headers['retry-after']]).toEqual([503, 'oidc_provider_unavailable', '5']);
  });

  it('is explained on the sign-in page if the caller is a browser', async () => {
    const { status, headers } = await rig.browser('ann', 'text/html').get('/auth/oidc/gone/start');
    expect([status, headers['location']]).toEqual([302, '../../../app/sign-in?error=oidc_provider_unavailable']);
  });

  it('is a 503 when it never answers', async () => {
    jest.replaceProperty(OidcClient, 'timeoutSeconds', 0.2);
    hung.silent = true;
    const { status, body } = await rig.browser('ann').get('/auth/oidc/hung/start');
    expect([status, body.code]).toEqual([503, 'oidc_provider_unavailable']);
  });

  it('is used again when it is available', async () => {
    jest.restoreAllMocks();
    hung.silent = false;
    expect((await rig.browser('ann').get('/auth/oidc/hung/start')).status).toBe(302);
  });

  it('is a 503 in the middle of a sign-in, too', async () => {
    const browser = rig.browser('ann');
    const { headers } = await browser.get('/auth/oidc/liar/start');
    const state = new URL(String(headers['location'])).searchParams.get('state');
    liar.status = 502;
    const { body } = await browser.get(`/auth/oidc/liar/callback?code=x&state=${state}`);
    expect([body.status, body.code]).toEqual([503, 'oidc_provider_unavailable']);
  });

  it('gets no requests for a while after ten failures', async () => {
    failing.status = 500;
    for (let n = 0; n < 12; n++) await rig.browser('ann').get('/auth/oidc/failing/start');
    const requests = failing.requested.length;
    expect(requests).toBeLessThan(12);
    expect((await rig.browser('ann').get('/auth/oidc/failing/start')).status).toBe(503);
    expect(failing.requested).toHaveLength(requests);
  });

  it('is discovered only once', async () => {
    await Promise.all([1, 2, 3].map(() => rig.browser('ann').get('/auth/oidc/liar/start')));
    expect(liar.requested.filter((path) => path.includes('.well-known'))).toEqual([]);
  });
});
