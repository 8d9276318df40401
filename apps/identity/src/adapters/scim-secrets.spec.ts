import { describe, expect, it } from '@jest/globals';
import { isSameHash, mintScimToken, readScimToken } from './scim-secrets.ts';

const tokenId = '01K0000000000000000000000A';

describe('a provisioning token', () => {
  it('contains its ID, and is recognised by its hash', () => {
    const { token, hash } = mintScimToken(tokenId);
    expect(token).toMatch(/^scim_01K0000000000000000000000A_[\w-]{43}$/);
    expect(readScimToken(`Bearer ${token}`)).toEqual({ tokenId, hash });
    expect(token).not.toContain(hash);
  });
  it('differs each time', () => expect(mintScimToken(tokenId).hash).not.toBe(mintScimToken(tokenId).hash));
  it.each([undefined, '', 'Bearer', 'Bearer a.b.c', `scim_${tokenId}_${'x'.repeat(43)}`, `Bearer scim_${tokenId}_short`])(
    'is not %j',
    (authorization) => expect(readScimToken(authorization)).toBeNull(),
  );
  it('is compared in full', () => {
    expect(isSameHash('00ff', '00ff')).toBe(true);
    expect(isSameHash('00ff', '00fe')).toBe(false);
    expect(isSameHash('00ff', '00')).toBe(false);
  });
});
