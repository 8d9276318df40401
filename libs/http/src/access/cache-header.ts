/** The wish of a caller of models for cached answers (`ttl=60`). In answers: whether the cache had it. */
export const CACHE_HEADER = 'x-parlance-cache';
