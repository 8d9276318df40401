import { createHash, randomBytes } from 'node:crypto';

/** The snapshot of a share is sealed under a key of its own. It is destroyed when the share ends, and lies within the key of the owner. */
export const shareSubject = (shareId: string, userId: string) => ({ id: `share:${shareId}`, within: `user:${userId}` });

const TOKEN_BYTES = 32;
/** Characters of a token in base64url. */
export const TOKEN_FORM = /^[\w-]{43}$/;

export function mintShareToken(): { readonly token: string; readonly hash: string } {
  const token = randomBytes(TOKEN_BYTES).toString('base64url');
  return { token, hash: hashOfShareToken(token) };
}

/** A plain hash of so many random bits cannot be reversed, so rows and events may have it. */
export const hashOfShareToken = (token: string): string => createHash('sha256').update(token).digest('base64url');
