import { randomBytes } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import type { Config } from '@parlance/config';
import { LocalMasterKey } from '@parlance/privacy';
import { OidcCookie } from './oidc-cookie.ts';

const newKey = () => new LocalMasterKey(randomBytes(32));
const key = newKey();
const cookieAt = (publicBaseUrl: string, master = key) => new OidcCookie(master, { publicBaseUrl } as Config);
const cookie = cookieAt('https://parlance.example.org');
const journey = { provider: 'acme', state: 's', nonce: 'n', verifier: 'v', returnTo: null };
const noon = 1_800_000_000_000;
const sent = cookie.begin(journey, noon).split(';')[0] as string;

describe('the cookie of a sign-in in progress', () => {
  it('is read among other cookies, for ten minutes', () => {
    expect(cookie.read(`a=b; ${sent};c=d`, noon)).toEqual({ ...journey, expiresAt: noon + 600_000 });
    expect(cookie.read(sent, noon + 599_999)).not.toBeNull();
    expect(cookie.read(sent, noon + 600_000)).toBeNull();
  });
  it('is read by any replica, and never without the master key', () => {
    expect(cookieAt('http://elsewhere.example.org').read(sent, noon)).not.toBeNull();
    expect(cookieAt('https://parlance.example.org', newKey()).read(sent, noon)).toBeNull();
  });
  it('does not reveal its content', () => {
    const [, sealed = ''] = cookie.begin({ ...journey, state: 'canary' }, noon).split('=');
    expect(Buffer.from(sealed, 'base64url').toString('latin1')).not.toContain('canary');
  });
  it.each([undefined, '', 'parlance_oidc=', 'parlance_oidc=x', `x${sent}`, sent.slice(0, -1), `${sent}A`])('is not %j', (header) =>
    expect(cookie.read(header, noon)).toBeNull(),
  );
  it('is sent only over TLS if the public address has TLS, and only to the callback', () => {
    const attributes = (base: string) => cookieAt(base).begin(journey, noon).split('; ').slice(1).join('; ');
    expect(attributes('https://parlance.example.org')).toBe('Max-Age=600; Path=/auth/oidc; HttpOnly; SameSite=Lax; Secure');
    expect(attributes('http://127.0.0.1:8080')).toBe('Max-Age=600; Path=/auth/oidc; HttpOnly; SameSite=Lax');
    expect(attributes('https://example.org/parlance')).toContain('Path=/parlance/auth/oidc;');
  });
  it('does not exceed the limit of browsers, even with the longest address to return to', () =>
    expect(cookie.begin({ ...journey, provider: 'x'.repeat(30), returnTo: 'a'.repeat(1_500) }, noon).length).toBeLessThan(4_000));
});
