export { AddressRules } from './addresses.ts';
export { decoderOf, Fetched } from './fetched.ts';
export { FetchRefused, type FetchRefusal } from './fetch-refused.ts';
export { type FetchRequest, GuardedFetch, type GuardedFetchOptions } from './guarded-fetch.ts';
export { guardedLookup, type Lookup, type ResolvedAddress } from './guarded-lookup.ts';
export { boundedSystemLookup } from './system-lookup.ts';
export { MAX_URL, targetOf } from './target.ts';
