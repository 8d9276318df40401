import { describe, expect, it } from '@jest/globals';
import { LocalMasterKey } from '@parlance/privacy';
import { RefreshTokens } from './refresh-tokens.ts';
import { mintToken, readToken } from './mail/link-tokens.ts';
import { isSameHash, mintScimToken, readScimToken } from './scim-secrets.ts';

const id = '01K0000000000000000000000A';
const alphabet = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_.=% \n'];

const refreshTokens = new RefreshTokens(new LocalMasterKey(Buffer.alloc(32, 7)));
const scim = mintScimToken(id);
const reset = mintToken(id);
const sameHash = (read: { readonly hash: string } | null, hash: string) => read !== null && isSameHash(read.hash, hash);

const kinds: readonly [string, string, (token: string) => boolean][] = [
  ['a refresh token', refreshTokens.issue({ sessionId: id, generation: 3 }), (token) => refreshTokens.read(token) !== null],
  [
    'a SCIM token',
    scim.token,
    (token) => {
      const read = readScimToken(`Bearer ${token}`);
      return read?.tokenId === id && sameHash(read, scim.hash);
    },
  ],
  [
    'a reset token',
    reset.token,
    (token) => {
      const read = readToken(token);
      return read?.id === id && sameHash(read, reset.hash);
    },
  ],
];

describe.each(kinds)('%s', (_, token, isAccepted) => {
  it('is accepted as it was issued', () => expect(isAccepted(token)).toBe(true));
  it('is refused with any one character altered, added or missing', () => {
    const changed: string[] = [];
    for (let at = 0; at <= token.length; at++) {
      const [before, after] = [token.slice(0, at), token.slice(at)];
      // A header may have more than one space after its scheme.
      for (const other of alphabet) {
        if (other !== token[at] && at < token.length) changed.push(`${before}${other}${after.slice(1)}`);
        if (!(at === 0 && other === ' ')) changed.push(`${before}${other}${after}`);
      }
      if (at < token.length) changed.push(`${before}${after.slice(1)}`);
    }
    expect(changed.filter(isAccepted)).toEqual([]);
  });
  it('is refused with anything after it', () => {
    expect(['.', '.a', `.${token}`, 'A', '=', '\0', ' '].filter((more) => isAccepted(`${token}${more}`))).toEqual([]);
  });
});
