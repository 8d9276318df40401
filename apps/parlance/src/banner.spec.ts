import { describe, expect, it } from '@jest/globals';
import { banner } from './banner.ts';

const url = 'http://127.0.0.1:8080';
const shown = (password: string | null) => banner({ url, dataDir: './data', firstAdmin: { email: 'admin@parlance.local', password } });
const commandsOf = (text: string) => text.split('\n').filter((line) => /^ {4}(TOKEN|curl)/.test(line));

describe('the banner of the first start', () => {
  it('has the password that was made up, and how to change it before anything else', () => {
    const text = shown('made-up');
    expect(text).toContain('Password      made-up   (shown this once; change it first)');
    const asked = commandsOf(text).map((line) => /8080(\/[^ ]+)/.exec(line)?.[1]);
    expect(asked).toEqual(['/auth/sign-in', '/auth/password', '/bot', '/openapi.json']);
    expect(text).toContain(`-d '{"email": "admin@parlance.local", "password": "made-up"}'`);
    expect(text).toContain(`-d '{"current_password": "made-up", "new_password": "YOURS"}'`);
  });
  it('does not print a configured password, and asks for no other', () => {
    const text = shown(null);
    expect(text).toContain('Password      (the one you configured)');
    expect(text).not.toContain('/auth/password');
  });
});

describe('the banner of later starts', () => {
  it('names no user', () => {
    const text = banner({ url, dataDir: './data', firstAdmin: null });
    expect(text).not.toContain('First Admin');
    expect(text).toContain('"email": "YOU"');
  });
});
