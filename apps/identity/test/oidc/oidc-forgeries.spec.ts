import { createHash, createHmac, createSign, generateKeyPairSync, type KeyObject } from 'node:crypto';
import { afterAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { JWTPayload } from 'jose';
import { type Lie, openLiar } from './oidc-liar.ts';
import { publicBaseUrl } from './oidc-browser.ts';
import { claimsIn, openRig } from './oidc-rig.ts';

const liar = await openLiar();
const secret = 'a secret of the client';
const weak = await openLiar();
weak.lie = { metadata: { id_token_signing_alg_values_supported: ['none', 'HS256', 'RS256'] } };
const rig = await openRig({
  liar: {
    issuer: liar.issuer,
    client_id: 'parlance',
    client_secret: secret,
    group_mapping: { staff: 'PublishAllowed' },
  },
  weak: { issuer: weak.issuer, client_id: 'parlance', client_secret: secret },
});
beforeEach(() => void Object.assign(liar, { lie: {}, bodies: [] }));
afterAll(async () => {
  await rig.stop();
  await Promise.all([liar.stop(), weak.stop()]);
});

async function begin(provider = 'liar', at = liar) {
  const browser = rig.browser('ann');
  const { headers } = await browser.get(`/auth/oidc/${provider}/start`);
  const requested = Object.fromEntries(new URL(String(headers['location'])).searchParams);
  at.nonce = requested['nonce']!;
  return { browser, asked: requested, state: requested['state']! };
}

async function signIn(lie: Lie, provider = 'liar', at = liar) {
  const { browser, state } = await begin(provider, at);
  at.lie = { ...at.lie, ...lie };
  return browser.get(`/auth/oidc/${provider}/callback?code=x&state=${state}`);
}

const part = (value: unknown) => Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)).toString('base64url');
const signed = (header: object, claims: object, sign: (text: string) => Buffer) => {
  const text = `${part(header)}.${part(claims)}`;
  return `${text}.${sign(text).toString('base64url')}`;
};
const hmac = (key: string | Buffer) => (claims: JWTPayload) =>
  signed({ alg: 'HS256', kid: 'only' }, claims, (text) => createHmac('sha256', key).update(text).digest());
const stranger = generateKeyPairSync('rsa', { modulusLength: 2_048 });
const rs256 = (key: KeyObject) => (text: string) => createSign('RSA-SHA256').update(text).sign(key);
const byStranger = (header: object) => (claims: JWTPayload) =>
  signed({ alg: 'RS256', kid: 'only', ...header }, claims, rs256(stranger.privateKey));
const none = (alg: string) => (claims: JWTPayload) => `${part({ alg, kid: 'only' })}.${part(claims)}.`;

const algorithms: readonly [string, Lie['token']][] = [
  ['no signature', none('none')],
  ['no signature, in capitals', none('NONE')],
  ['no signature, and an unknown algorithm', none('')],
  ['the public key as secret, as PEM', (claims) => hmac(liar.pem)(claims)],
  ['the public key as secret, without the line break', (claims) => hmac(liar.pem.trim())(claims)],
  ['the public key as secret, as JWK', (claims) => hmac(JSON.stringify(liar.jwk))(claims)],
  ['the modulus as secret', (claims) => hmac(Buffer.from(liar.jwk.n!, 'base64url'))(claims)],
  ['the secret of the client', hmac(secret)],
  ['an empty secret', hmac(Buffer.alloc(0))],
  ['a key in its own header', byStranger({ jwk: stranger.publicKey.export({ format: 'jwk' }) })],
  ['a key at an address in its header', byStranger({ jku: 'http://127.0.0.1:9/keys', x5u: 'http://127.0.0.1:9/cert' })],
  ['an unknown key', byStranger({ kid: 'other' })],
  ['a key whose ID is a path', byStranger({ kid: '../../../../dev/null' })],
  ['a key whose ID is not a string', byStranger({ kid: { $ne: '' } })],
  ['two signatures', (claims) => `${byStranger({})(claims)}.${part('x')}`],
  ['an extension that must be understood', (claims) => signed({ alg: 'RS256', kid: 'only', crit: ['x'], x: 1 }, claims, byLiar)],
  ['the algorithm of another family', (claims) => signed({ alg: 'PS256', kid: 'only' }, claims, byLiar)],
  ['nothing but a word', () => 'token'],
  ['an encrypted form', () => `${part({ alg: 'dir', enc: 'A128GCM' })}....`],
  ['a signature of claims that were changed', (claims) => tampered(signed({ alg: 'RS256', kid: 'only' }, claims, byLiar))],
  ['600 KB', (claims) => signed({ alg: 'RS256', kid: 'only', x: 'x'.repeat(450_000) }, claims, rs256(stranger.privateKey))],
];
/** Signed by the right key. */
function byLiar(text: string): Buffer {
  return createSign('RSA-SHA256').update(text).sign(liar.privateKey);
}
function tampered(token: string): string {
  const [header, claims, signature] = token.split('.') as [string, string, string];
  const changed = { ...JSON.parse(Buffer.from(claims, 'base64url').toString()), email: 'victim@example.org' };
  return [header, part(changed), signature].join('.');
}

describe('an ID token', () => {
  it.each(algorithms)('with %s is refused', async (_, token) => {
    const { status, body } = await signIn({ token });
    expect([status, body.code]).toEqual([401, 'oidc_refused']);
  });

  it.each(algorithms.slice(0, 9))('with %s is refused even if the provider announces that algorithm', async (_, token) => {
    const { status, body } = await signIn({ token }, 'weak', weak);
    expect([status, body.code]).toEqual([401, 'oidc_refused']);
  });

  const soon = () => Math.floor(Date.now() / 1_000) + 3_600;
  it.each<[string, () => object]>([
    ['that is not valid yet', () => ({ nbf: soon() })],
    ['without an end', () => ({ exp: undefined })],
    ['whose expiry is a string', () => ({ exp: String(soon()) })],
    ['whose expiry is an object', () => ({ exp: { $gt: 0 } })],
    ['without a time', () => ({ iat: undefined })],
    ['for several clients, without naming one', () => ({ aud: ['parlance', 'other'] })],
    ['for several clients, naming another one', () => ({ aud: ['parlance', 'other'], azp: 'other' })],
    ['for nobody', () => ({ aud: [] })],
    ['for a client whose name begins like this one', () => ({ aud: 'parlance-other' })],
    ['for a client in capitals', () => ({ aud: 'PARLANCE' })],
    ['for an object', () => ({ aud: { 0: 'parlance' } })],
    ['of the issuer with a slash', () => ({ iss: `${liar.issuer}/` })],
    ['whose issuer is a list', () => ({ iss: [liar.issuer] })],
    ['without an issuer', () => ({ iss: undefined })],
    ['whose subject is empty', () => ({ sub: '' })],
    ['whose subject is empty, with all other claims', () => ({ sub: '', groups: [] })],
    ['whose subject is a number', () => ({ sub: 1 })],
    ['whose nonce is a list', () => ({ nonce: [liar.nonce] })],
    ['whose nonce is empty', () => ({ nonce: '' })],
  ])('%s is refused', async (_, claims) => {
    const { browser, state } = await begin();
    liar.lie = { claims: claims() as JWTPayload };
    const { status, body } = await browser.get(`/auth/oidc/liar/callback?code=x&state=${state}`);
    expect([status, body.code]).toEqual([401, 'oidc_refused']);
  });

  it.each([
    ['no JSON', '<html>'],
    ['a list', '[]'],
    ['null', 'null'],
    ['no token', '{"access_token":"x","token_type":"Bearer"}'],
    ['tokens that are numbers', '{"access_token":1,"token_type":"Bearer","id_token":2}'],
    ['a token of another type', '{"access_token":"x","token_type":"mac","id_token":"x.y.z"}'],
    ['10,000 levels', '['.repeat(10_000) + ']'.repeat(10_000)],
    ['2 MB', JSON.stringify({ access_token: 'x'.repeat(2_000_000), token_type: 'Bearer', id_token: 'x' })],
  ])('is refused when the provider answers %s', async (_, answer) => {
    const { status, body } = await signIn({ answer });
    expect([
      [401, 'oidc_refused'],
      [503, 'oidc_provider_unavailable'],
    ]).toContainEqual([status, body.code]);
  });
});

describe('claims', () => {
  it.each<[string, unknown]>([
    ['a number', 7],
    ['an object', { staff: true }],
    ['a list in a list', [['staff']]],
    ['names of built-in members of objects', ['__proto__', 'constructor', 'toString', 'hasOwnProperty']],
    ['a list of many', Array.from({ length: 10_000 }, (_, index) => `group-${index}`)],
    ['groups in capitals', ['STAFF', 'Admin', 'PublishAllowed']],
    ['a text of several', 'staff,Admin'],
    ['null', null],
  ])('with groups that are %s add the user to no group', async (_, groups) => {
    const { status, body } = await signIn({ claims: { groups } as never });
    expect([status, body.user?.groups]).toEqual([200, ['CreatingBotAllowed']]);
  });

  it.each<[string, object]>([
    ['not verified, with a number', { email_verified: 1 }],
    ['not verified, with a string', { email_verified: 'false' }],
    ['not verified, with an object', { email_verified: {} }],
    ['not verified, with a list', { email_verified: [true] }],
    ['a list', { email: ['ann@example.org'] }],
    ['an object', { email: { $ne: '' } }],
    ['two addresses', { email: 'ann@example.org,victim@example.org' }],
    ['one with a line break', { email: 'ann@example.org\r\nBcc: victim@example.org' }],
    ['one with a name', { email: 'Ann <victim@example.org>' }],
    ['one with an invisible character', { email: 'victim\u200b@example.org' }],
    ['one with a null', { email: 'victim@example.org\0.evil.example' }],
    ['empty', { email: '' }],
  ])('with an address that is %s create no user', async (_, claims) => {
    const { status, body } = await signIn({ claims: { sub: `odd ${_}`, groups: [], ...claims } as never });
    expect([status, body.code]).toEqual([403, 'email_not_verified']);
  });

  it('with the address of another account open that account only to the linked subject, whatever later claims say', async () => {
    const first = await signIn({ claims: { sub: 'one', groups: [], email: 'one@example.org' } });
    const later = await signIn({ claims: { sub: 'one', groups: [], email: 'two@example.org' } });
    expect(claimsIn(later.body.access_token).sub).toBe(claimsIn(first.body.access_token).sub);
    expect(later.body.user.email).toBe('one@example.org');
  });
});

describe('a sign-in', () => {
  it('sends the code with the verifier of its own challenge and the configured callback address', async () => {
    const { browser, asked: requested, state } = await begin();
    await browser.get(`/auth/oidc/liar/callback?code=x&state=${state}`);
    const sent = Object.fromEntries(new URLSearchParams(liar.bodies.find((body) => body.includes('code_verifier'))));
    expect([requested['code_challenge_method'], requested['code_challenge']]).toEqual([
      'S256',
      createHash('sha256').update(sent['code_verifier']!).digest('base64url'),
    ]);
    const redirect = `${publicBaseUrl}/auth/oidc/liar/callback`;
    expect([requested['redirect_uri'], sent['redirect_uri'], sent['grant_type']]).toEqual([redirect, redirect, 'authorization_code']);
  });

  it.each(['redirect_uri=https://evil.example/', 'state=chosen-by-another', 'nonce=chosen', 'client_id=other', 'response_mode=query'])(
    'copies nothing from the caller into the request to the provider: %s',
    async (query) => {
      const { headers, status } = await rig.browser('ann').get(`/auth/oidc/liar/start?${query}`);
      expect([status, headers['location']]).toEqual([400, undefined]);
    },
  );

  it.each([
    ['another state', 'code=x&state=AAAA'],
    ['no state', 'code=x'],
    ['two states', 'code=x&state=$&state=$'],
    ['a state in another form', 'code=x&state[]=$'],
  ])('with %s is refused before the provider is called', async (_, query) => {
    const { browser, state } = await begin();
    const before = liar.requested.length;
    const { status } = await browser.get(`/auth/oidc/liar/callback?${query.replaceAll('$', state)}`);
    expect([status, liar.requested.length - before]).toEqual([400, 0]);
  });

  it.each([
    ['two codes', 'code=x&code=y&state=$'],
    ['an error together with the code', 'code=x&error=access_denied&state=$'],
    ['tokens together with the code', 'code=x&id_token=x.y.z&state=$'],
    ['an answer in a token', 'response=x.y.z&state=$'],
  ])('with %s is refused', async (_, query) => {
    const { browser, state } = await begin();
    const { status } = await browser.get(`/auth/oidc/liar/callback?${query.replaceAll('$', state)}`);
    expect([400, 401]).toContain(status);
  });
});
