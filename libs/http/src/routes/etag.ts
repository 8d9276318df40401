import { refuse } from '@parlance/decider';

/** The ETag of a resource at a version of its stream, or with another number that changes with the resource. */
export const etagOf = (version: number | `${number}`): string => `"${version}"`;

const TAGS = /^\s*(?:W\/)?"[\x21\x23-\x7e]*"\s*(?:,\s*(?:W\/)?"[\x21\x23-\x7e]*"\s*)*$/;

/** Whether an `If-None-Match` contains this tag, weak or strong (RFC 9110). An invalid header contains none. */
export function matchesWeakly(ifNoneMatch: string, etag: string): boolean {
  if (ifNoneMatch.trim() === '*') return true;
  return ifNoneMatch.split(',').some((tag) => strong(tag.trim()) === strong(etag));
}

const strong = (tag: string): string => (tag.startsWith('W/') ? tag.slice(2) : tag);

/** The `If-None-Match` of a request that creates a resource and never changes one. */
export const ABSENT = '*';

/**
 * Whether the request may only create the resource, because it has `If-None-Match: *`. Throws the refusal `invalid_if_none_match` (invalid) for
 * other values, which are not supported for changes.
 */
export function asksForAbsence(ifNoneMatch: string | undefined): boolean {
  if (ifNoneMatch === undefined) return false;
  if (ifNoneMatch.trim() === ABSENT) return true;
  throw refuse('invalid', 'invalid_if_none_match', 'The header If-None-Match of this request must be *.');
}

/** A pattern of the `If-Match` values that clients send. */
export const ENTITY_TAGS = '^([*]|"[0-9]+")$';

/**
 * Requires that the resource still has the version in `If-Match`, if the request has that header. Throws the refusal
 * `invalid_if_match` (invalid) if the header is not a list of entity tags, and `version_stale` (stale) if none of them is the current
 * version. A weak tag never matches (RFC 9110).
 */
export function requireMatch(ifMatch: string | undefined, version: number | `${number}`): void {
  if (ifMatch === undefined || ifMatch.trim() === '*') return;
  if (!TAGS.test(ifMatch)) throw refuse('invalid', 'invalid_if_match', 'The header If-Match must be * or a list of entity tags.');
  if (!ifMatch.split(',').some((tag) => tag.trim() === etagOf(version))) {
    throw refuse('stale', 'version_stale', 'The resource has changed since it was read. Read it again, then repeat the change.');
  }
}
