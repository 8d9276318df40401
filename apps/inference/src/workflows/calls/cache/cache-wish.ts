import { refuse } from '@parlance/decider';
import { LONGEST_CACHE_SECONDS } from '@parlance/contracts';
import { CACHE_HEADER } from '@parlance/http';
import type { CallRequest } from '../gateway-calls.ts';

const TTL = /^ttl=(\d{1,6})$/;

/** How long the answer may be cached: by the header of the request, or else by the terms of its token. 0: not. Throws the refusal `invalid_cache`. */
export function cacheSecondsOf({ headers, caller }: CallRequest): number {
  const wish = headers[CACHE_HEADER];
  if (wish === undefined) return caller.terms.cache_ttl_seconds ?? 0;
  const seconds = Number((typeof wish === 'string' ? TTL.exec(wish) : null)?.[1]);
  if (!(seconds <= LONGEST_CACHE_SECONDS))
    throw refuse(
      'invalid',
      'invalid_cache',
      `The header ${CACHE_HEADER} must be ttl= with 0 to ${LONGEST_CACHE_SECONDS} seconds.` as `The ${string}.`,
    );
  return seconds;
}
