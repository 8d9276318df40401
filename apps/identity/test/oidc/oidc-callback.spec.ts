import { afterAll, describe, expect, it } from '@jest/globals';
import { publicBaseUrl } from './oidc-browser.ts';
import { openCounterpart } from './oidc-counterpart.ts';
import { claimsIn, openRig } from './oidc-rig.ts';

const redirectUris = ['acme', 'blue'].map((name) => `${publicBaseUrl}/auth/oidc/${name}/callback`);
const acme = await openCounterpart({ ann: { email: 'ann@example.org', email_verified: true, name: 'Ann Archer' } }, { redirectUris });
const provider = { issuer: acme.issuer, client_id: 'parlance' };
const rig = await openRig({ acme: provider, blue: provider }, { PARLANCE_CONSOLE_ORIGINS: 'https://console.example.org' });
afterAll(async () => {
  await rig.stop();
  await acme.stop();
});

describe('a callback', () => {
  const refused = { status: 400, code: 'invalid_oidc_state' };

  it('is accepted only from the browser that began the sign-in', async () => {
    const path = await rig.browser('ann').authorise('acme');
    expect((await rig.browser('ann').get(path)).body).toMatchObject(refused);
    const other = rig.browser('ann');
    await other.authorise('acme');
    expect((await other.get(path)).body).toMatchObject(refused);
  });

  it('is accepted only for the provider where the sign-in began', async () => {
    const browser = rig.browser('ann');
    const path = await browser.authorise('acme');
    expect((await browser.get(path.replace('/acme/', '/blue/'))).body).toMatchObject(refused);
    expect((await browser.get(path.replace('/acme/', '/nowhere/'))).body).toMatchObject({ status: 404, code: 'provider_not_found' });
    expect((await browser.get(path)).status).toBe(200);
  });

  it('works once', async () => {
    const browser = rig.browser('ann');
    const path = await browser.authorise('acme');
    const sealed = browser.cookieNamed('parlance_oidc') ?? '';
    expect((await browser.get(path)).status).toBe(200);
    expect((await browser.get(path)).body).toMatchObject(refused);
    browser.plant('parlance_oidc', sealed);
    expect((await browser.get(path)).body).toMatchObject({ status: 401, code: 'oidc_refused' });
  });

  it.each(['', 'state=', 'state=x&state=x', 'code=x'])('with the query %j is refused', async (query) => {
    const browser = rig.browser('ann');
    await browser.authorise('acme');
    expect((await browser.get(`/auth/oidc/acme/callback?${query}`)).body).toMatchObject(refused);
  });

  it('with a changed cookie is refused', async () => {
    const browser = rig.browser('ann');
    const path = await browser.authorise('acme');
    const sealed = browser.cookieNamed('parlance_oidc') ?? '';
    const stranger = rig.browser('ann');
    stranger.plant('parlance_oidc', `${sealed.slice(0, -2)}${sealed.endsWith('A') ? 'B' : 'A'}A`);
    expect((await stranger.get(path)).body).toMatchObject(refused);
  });

  it('accepts parameters that a provider adds', async () => {
    const browser = rig.browser('ann');
    expect((await browser.get(`${await browser.authorise('acme')}&session_state=a.b&authuser=0&authuser=1`)).status).toBe(200);
  });

  it("reports a refusal by the provider in the product's own words", async () => {
    const { status, body, text } = await rig.browser(null).signIn('acme');
    expect([status, body.code]).toEqual([401, 'oidc_refused']);
    expect(text).not.toMatch(/<|denied/);
  });
});

describe('a refusal in a browser, which asks for a page', () => {
  const HTML = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8';
  const shown = ({ status, headers }: { status: number; headers: Record<string, string> }) => {
    const { pathname, origin, searchParams } = new URL(headers['location']!, `${publicBaseUrl}/auth/oidc/acme/callback`);
    return [status, origin + pathname, Object.fromEntries(searchParams)];
  };
  const page = `${publicBaseUrl}/app/sign-in`;
  const back = `?return_to=${encodeURIComponent('/app/sign-in/done?next=%2Fbots%3Fkind%3Dshared')}`;

  it('shows the sign-in page, with the code and the requested page in its address', async () => {
    const refused = await rig.browser(null, HTML).signIn('acme', back);
    expect(shown(refused)).toEqual([302, page, { error: 'oidc_refused', next: '/bots?kind=shared' }]);
    expect(refused.headers).toMatchObject({ 'cache-control': 'no-store' });
    expect(String(refused.headers['set-cookie'])).toMatch(/^parlance_oidc=; Max-Age=0/);
  });

  it('shows it if the sign-in began in another browser, and for an unknown provider', async () => {
    const browser = rig.browser('ann', HTML);
    expect(shown(await browser.get('/auth/oidc/acme/callback?code=x'))).toEqual([302, page, { error: 'invalid_oidc_state' }]);
    expect(shown(await browser.get(`/auth/oidc/nowhere/start${back}`))).toEqual([
      302,
      page,
      { error: 'provider_not_found', next: '/bots?kind=shared' },
    ]);
  });

  it('never redirects to another site', async () => {
    const answer = await rig
      .browser('ann', HTML)
      .get(`/auth/oidc/acme/start?return_to=${encodeURIComponent('https://evil.example/?next=/x')}`);
    expect(shown(answer)).toEqual([302, page, { error: 'invalid_return_to' }]);
  });
});

describe('going back to a page', () => {
  it('carries the tokens in the fragment', async () => {
    for (const place of ['/console?tab=1', 'https://console.example.org/signed-in']) {
      const { status, headers, text } = await rig.browser('ann').signIn('acme', `?return_to=${encodeURIComponent(place)}`);
      expect([status, text]).toEqual([302, '']);
      const [page, fragment] = String(headers['location']).split('#');
      expect(page).toBe(place);
      const { access_token, refresh_token, expires_in, ...rest } = Object.fromEntries(new URLSearchParams(fragment));
      expect([claimsIn(access_token ?? '').email, expires_in, rest]).toEqual(['ann@example.org', '1800', {}]);
      expect((await rig.post('/auth/refresh', { refresh_token })).status).toBe(200);
      expect(headers).toMatchObject({ 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' });
      expect(String(headers['set-cookie'])).toMatch(/^parlance_oidc=; Max-Age=0; Path=\/auth\/oidc/);
    }
  });

  it('is refused to anywhere else, before a redirect', async () => {
    for (const place of ['https://evil.example', '//evil.example', '/\\evil.example', '']) {
      const answer = await rig.browser('ann').get(`/auth/oidc/acme/start?return_to=${encodeURIComponent(place)}`);
      expect([answer.body.status, answer.body.code, answer.headers['set-cookie']]).toEqual([400, 'invalid_return_to', undefined]);
    }
  });
});

it('a provider that is not configured is not found', async () => {
  for (const name of ['nowhere', '__proto__', 'constructor'])
    expect((await rig.browser('ann').get(`/auth/oidc/${name}/start`)).body).toMatchObject({ status: 404, code: 'provider_not_found' });
});
