import type { Caller } from '@parlance/observability';

/** The session or personal access token whose request was answered with a signed address. The address becomes invalid with it. */
export type IssuedTo = { readonly sessionId: string; readonly userId: string } | { readonly tokenId: string };

/** The text for a signed address. It is not secret. Null for a caller with neither session nor token, such as a service. */
export function issuedTo({ userId, sessionId, tokenId }: Caller): string | null {
  if (tokenId !== undefined) return `token.${tokenId}`;
  return sessionId === null ? null : `session.${sessionId}.${userId}`;
}

/** Null for a malformed text. */
export function readIssuedTo(text: string): IssuedTo | null {
  const [kind, id, userId, ...rest] = text.split('.');
  if (!id || rest.length > 0) return null;
  if (kind === 'token' && userId === undefined) return { tokenId: id };
  return kind === 'session' && userId ? { sessionId: id, userId } : null;
}
