import { describe, expect, it } from '@jest/globals';
import { banner } from './banner.ts';

const url = 'http://127.0.0.1:8080';
const shown = (password: string | null, hasConsole = true) =>
  banner({ url, dataDir: './data', firstAdmin: { email: 'admin@parlance.local', password }, hasConsole });
const commandsOf = (text: string) => text.split('\n').filter((line) => /^ {4}(TOKEN|curl)/.test(line));

describe('the banner of the first start', () => {
  it('has the generated password, and says how to change it first', () => {
    const text = shown('made-up');
    expect(text).toContain('Password      made-up   (shown only once; change it first)');
    const requested = commandsOf(text).map((line) => /8080(\/[^ ]+)/.exec(line)?.[1]);
    expect(requested).toEqual(['/auth/sign-in', '/auth/password', '/bot', '/openapi.json']);
    expect(text).toContain(`-d '{"email": "admin@parlance.local", "password": "made-up"}'`);
    expect(text).toContain(`-d '{"current_password": "made-up", "new_password": "YOURS"}'`);
  });
  it('does not print a configured password, and does not ask for another password', () => {
    const text = shown(null);
    expect(text).toContain('Password      (the one you configured)');
    expect(text).not.toContain('/auth/password');
    expect(text).not.toContain('/app/welcome');
  });
  it('has a link that signs in to the console, with all special characters of the address and the password encoded', () => {
    const password = 'a/b#c d%e?é';
    const link = new URL(
      /Sign in at {4}(\S+)\n/.exec(
        banner({ url, dataDir: './data', firstAdmin: { email: 'ann+x@example.org', password }, hasConsole: true }),
      )![1]!,
    );
    expect([link.origin, link.pathname, link.search]).toEqual([url, '/app/welcome', '']);
    expect(link.hash.slice(1).split('/').map(decodeURIComponent)).toEqual(['ann+x@example.org', password]);
  });
  it('has no link if the console is not served', () => {
    expect(shown('made-up', false)).not.toContain('/app');
  });
  it('matches the recorded text', () => {
    expect(shown('made-up')).toBe(`
  Parlance is ready at http://127.0.0.1:8080
  Data          ./data

  Administrator admin@parlance.local
  Password      made-up   (shown only once; change it first)
  Sign in at    http://127.0.0.1:8080/app/welcome#admin%40parlance.local/made-up

  Try these, with a password of your own (8 characters or more) for YOURS. Until you change it, nothing else works:
    TOKEN=$(curl -s http://127.0.0.1:8080/auth/sign-in -H 'content-type: application/json' \\
      -d '{"email": "admin@parlance.local", "password": "made-up"}' | node -pe 'JSON.parse(fs.readFileSync(0)).access_token')
    TOKEN=$(curl -s http://127.0.0.1:8080/auth/password -H "authorization: Bearer $TOKEN" -H 'content-type: application/json' \\
      -d '{"current_password": "made-up", "new_password": "YOURS"}' | node -pe 'JSON.parse(fs.readFileSync(0)).access_token')
    curl -s http://127.0.0.1:8080/bot -H "authorization: Bearer $TOKEN" -H 'content-type: application/json' -d '{"title": "Guide"}'
    curl -s http://127.0.0.1:8080/openapi.json

`);
  });
});

describe('the banner of later starts', () => {
  it('names no user', () => {
    const text = banner({ url, dataDir: './data', firstAdmin: null, hasConsole: true });
    expect(text).not.toContain('Administrator');
    expect(text).toContain('"email": "YOU"');
  });
});
