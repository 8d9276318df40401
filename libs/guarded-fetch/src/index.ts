export { AddressRules } from './addresses.ts';
export { decoderOf, Fetched } from './fetched.ts';
export { FetchRefused, type FetchRefusal } from './fetch-refused.ts';
export { type FetchRequest, GuardedFetch, type GuardedFetchOptions } from './guarded-fetch.ts';
export { type Lookup, type ResolvedAddress } from './guarded-lookup.ts';
export { MAX_URL } from './target.ts';
