import type { Caller } from '@parlance/observability';

/** Whose request has got a signed address: the address ends with the session or the personal access token. */
export type IssuedTo = { readonly sessionId: string; readonly userId: string } | { readonly tokenId: string };

/** As an address carries it. It is not secret. Null for a caller with neither, such as a service. */
export function issuedTo({ userId, sessionId, tokenId }: Caller): string | null {
  if (tokenId !== undefined) return `token.${tokenId}`;
  return sessionId === null ? null : `session.${sessionId}.${userId}`;
}

/** Null for a text of another form. */
export function readIssuedTo(text: string): IssuedTo | null {
  const [kind, id, userId, ...rest] = text.split('.');
  if (!id || rest.length > 0) return null;
  if (kind === 'token' && userId === undefined) return { tokenId: id };
  return kind === 'session' && userId ? { sessionId: id, userId } : null;
}
