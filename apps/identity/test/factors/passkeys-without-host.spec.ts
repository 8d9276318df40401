import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type IdentityUnderTest, identityUnderTest } from '../people.ts';

describe('an installation whose public address has no host name', () => {
  let identity: IdentityUnderTest;
  beforeAll(async () => {
    identity = await identityUnderTest({ PARLANCE_PUBLIC_BASE_URL: 'https://[2001:db8::1]:8443' });
  });
  afterAll(() => identity?.stop());

  it('reports that passkeys are not available', async () => {
    expect((await identity.ask('get', '/auth/options', null)).body.passkeys).toBe(false);
  });
  it.each(['/auth/passkeys/options', '/user/me/factors/passkeys'])('refuses options: %s', async (path) => {
    const who = path.startsWith('/auth') ? null : identity.admin;
    const { status, body } = await identity.ask('post', path, who);
    expect([status, body.code]).toEqual([409, 'passkeys_unavailable']);
  });
});
