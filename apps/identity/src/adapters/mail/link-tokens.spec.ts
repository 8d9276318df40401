import { describe, expect, it } from '@jest/globals';
import { LocalMasterKey } from '@parlance/privacy';
import { LinkTokens, mintToken, readToken } from './link-tokens.ts';

const tokens = new LinkTokens(new LocalMasterKey(Buffer.alloc(32, 1)));
const ann = '01K0000000000000000000000A';
const bob = '01K0000000000000000000000B';
const shown = tokens.of('password_reset', ann, 'm1');

describe('the token in a mail', () => {
  it('is the same for each try of the mail', () => expect(tokens.of('password_reset', ann, 'm1')).toEqual(shown));
  it('is read as a token of the user', () => {
    expect(readToken(shown.token)).toEqual({ id: ann, hash: shown.hash });
    expect(shown.token).not.toContain(shown.hash);
  });
  it('differs for another mail, user, kind or key', () => {
    const others = [
      tokens.of('password_reset', ann, 'm2'),
      tokens.of('password_reset', bob, 'm1'),
      tokens.of('invitation', ann, 'm1'),
      new LinkTokens(new LocalMasterKey(Buffer.alloc(32, 2))).of('password_reset', ann, 'm1'),
    ];
    expect(new Set([shown, ...others].map(({ hash }) => hash)).size).toBe(5);
  });
});

describe('a random token', () => {
  it('differs each time, and is read as a token of its user', () => {
    const minted = mintToken(ann);
    expect(readToken(minted.token)).toEqual({ id: ann, hash: minted.hash });
    expect(mintToken(ann).hash).not.toBe(minted.hash);
  });
  it('has one valid form', () => {
    for (const text of ['', ann, `${ann}.short`, `${shown.token}A`, ` ${shown.token}`]) expect(readToken(text)).toBeNull();
  });
});
