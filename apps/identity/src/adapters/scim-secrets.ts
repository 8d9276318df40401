import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';

/** What a provisioning client showed: which token it says it has, and the hash of what it has. */
export interface ShownToken {
  readonly tokenId: string;
  readonly hash: string;
}

/** The scheme has no case. The token has. */
const form = /^[Bb][Ee][Aa][Rr][Ee][Rr] +scim_([0-7][0-9A-HJKMNP-TV-Z]{25})_([\w-]{43})$/;

/** 256 random bits: a plain hash of them can't be undone, and does not help a reader of the log to get in. */
export function mintScimToken(tokenId: string): { token: string; hash: string } {
  const secret = randomBytes(32).toString('base64url');
  return { token: `scim_${tokenId}_${secret}`, hash: hashOf(secret) };
}

/** Null for whatever is no token of this kind: an access token, for one. */
export function readScimToken(authorization: string | undefined): ShownToken | null {
  const [, tokenId = '', secret = ''] = form.exec(authorization ?? '') ?? [];
  return tokenId === '' ? null : { tokenId, hash: hashOf(secret) };
}

/** In a time that doesn't tell where they differ. */
export function isSameHash(one: string, other: string): boolean {
  const [a, b] = [Buffer.from(one, 'hex'), Buffer.from(other, 'hex')];
  return a.length === b.length && timingSafeEqual(a, b);
}

const hashOf = (secret: string): string => createHash('sha256').update(secret).digest('hex');
