import { createHash, randomBytes } from 'node:crypto';

/** A reset token from a request: the user ID in it, and the hash of its secret. */
export interface ShownResetToken {
  readonly userId: string;
  readonly hash: string;
}

const form = /^([0-7][0-9A-HJKMNP-TV-Z]{25})\.([\w-]{43})$/;

/** Makes a token with 256 random bits. Only the hash is stored. */
export function mintResetToken(userId: string): { token: string; hash: string } {
  const secret = randomBytes(32).toString('base64url');
  return { token: `${userId}.${secret}`, hash: hashOf(secret) };
}

/** Null for a text that does not have the form of a reset token. */
export function readResetToken(token: string): ShownResetToken | null {
  const [, userId = '', secret = ''] = form.exec(token) ?? [];
  return userId === '' ? null : { userId, hash: hashOf(secret) };
}

/** Hashes the text, because base64url decodes several texts to the same bytes. */
const hashOf = (secret: string): string => createHash('sha256').update(secret).digest('hex');
