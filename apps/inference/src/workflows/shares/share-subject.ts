import { createHash, randomBytes } from 'node:crypto';

/** A share's snapshot is sealed under its own key, which is nested in the owner's key and destroyed when the share ends. */
export const shareSubject = (shareId: string, userId: string) => ({ id: `share:${shareId}`, within: `user:${userId}` });

const TOKEN_BYTES = 32;
/** A token in base64url. */
export const TOKEN_FORM = /^[\w-]{43}$/;

export function mintShareToken(): { readonly token: string; readonly hash: string } {
  const token = randomBytes(TOKEN_BYTES).toString('base64url');
  return { token, hash: hashOfShareToken(token) };
}

/** A plain hash of this many random bits cannot be reversed, so rows and events may contain it. */
export const hashOfShareToken = (token: string): string => createHash('sha256').update(token).digest('base64url');
