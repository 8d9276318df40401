import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';

/** A SCIM token from a request: its ID, and the hash of its secret. */
export interface ShownToken {
  readonly tokenId: string;
  readonly hash: string;
}

/** The scheme is case-insensitive, the token is not. */
const form = /^[Bb][Ee][Aa][Rr][Ee][Rr] +scim_([0-7][0-9A-HJKMNP-TV-Z]{25})_([\w-]{43})$/;

/** Makes a token with 256 random bits. A plain hash of so many bits cannot be reversed, so the log may hold it. */
export function mintScimToken(tokenId: string): { token: string; hash: string } {
  const secret = randomBytes(32).toString('base64url');
  return { token: `scim_${tokenId}_${secret}`, hash: hashOf(secret) };
}

/** Null for any other kind of token, such as an access token. */
export function readScimToken(authorization: string | undefined): ShownToken | null {
  const [, tokenId = '', secret = ''] = form.exec(authorization ?? '') ?? [];
  return tokenId === '' ? null : { tokenId, hash: hashOf(secret) };
}

/** Compares in constant time. */
export function isSameHash(one: string, other: string): boolean {
  const [a, b] = [Buffer.from(one, 'hex'), Buffer.from(other, 'hex')];
  return a.length === b.length && timingSafeEqual(a, b);
}

const hashOf = (secret: string): string => createHash('sha256').update(secret).digest('hex');
