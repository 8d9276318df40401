import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { readApiKey } from './api-key-value.ts';
import { mintPersonalToken, readPersonalToken } from './personal-token-value.ts';

const tokenId = '01K0000000000000000000000A';

describe('the value of a personal access token', () => {
  it('has its ID, and the hash that is stored', () => {
    const { value, hash } = mintPersonalToken(tokenId);
    expect(value).toMatch(/^pat_01k0000000000000000000000a[0-9a-z]{59}$/);
    expect(readPersonalToken(value)).toEqual({ tokenId, hash });
    expect(mintPersonalToken(tokenId).value).not.toBe(value);
  });
  it('differs from the value of an API key', () => {
    const { value } = mintPersonalToken(tokenId);
    expect(readApiKey(value)).toBeNull();
    expect(readApiKey(value.replace('pat_', 'prl_'))).toBeNull();
  });
  it('is refused by its checksum if a character was changed', () => {
    const { value } = mintPersonalToken(tokenId);
    fc.assert(
      fc.property(fc.nat(value.length - 1), fc.constantFrom(...'0123456789abcdefghjkmnpqrstvwxyz_A'), (at, other) => {
        fc.pre(value[at] !== other);
        expect(readPersonalToken(`${value.slice(0, at)}${other}${value.slice(at + 1)}`)).toBeNull();
      }),
    );
  });
  it.each(['', 'pat_', 'a.b.c'])('is not valid as %j', (text) => expect(readPersonalToken(text)).toBeNull());
});
