import { refuse } from '@parlance/decider';

/** The ETag of a resource at a version of its stream. */
export const etagOf = (version: number): string => `"${version}"`;

const TAGS = /^\s*(?:W\/)?"[\x21\x23-\x7e]*"\s*(?:,\s*(?:W\/)?"[\x21\x23-\x7e]*"\s*)*$/;

/** Whether an `If-None-Match` names this tag, weak or not, as RFC 9110 has it. What is no list of tags names none. */
export function matchesWeakly(ifNoneMatch: string, etag: string): boolean {
  if (ifNoneMatch.trim() === '*') return true;
  return ifNoneMatch.split(',').some((tag) => strong(tag.trim()) === strong(etag));
}

const strong = (tag: string): string => (tag.startsWith('W/') ? tag.slice(2) : tag);

/** What clients make of `If-Match`, by the tags that are given out. */
export const ENTITY_TAGS = '^([*]|"[0-9]+")$';

/**
 * Holds a request to what its caller has seen. Without `If-Match` nothing is asked.
 * Throws the refusal `invalid_if_match` (invalid) when the header is no list of entity tags, and `version_stale`
 * (stale) when none of them is the current version. A weak tag never matches, as RFC 9110 has it.
 */
export function requireMatch(ifMatch: string | undefined, version: number): void {
  if (ifMatch === undefined || ifMatch.trim() === '*') return;
  if (!TAGS.test(ifMatch)) throw refuse('invalid', 'invalid_if_match', 'The header If-Match must be * or a list of entity tags.');
  if (!ifMatch.split(',').some((tag) => tag.trim() === etagOf(version))) {
    throw refuse('stale', 'version_stale', 'The resource has changed since it was read. Read it again, then repeat the change.');
  }
}
