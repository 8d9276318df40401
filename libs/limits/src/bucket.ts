import { afterReport, grantOf, NO_SHARE, type Report, type Share, takenOf, unusedOf, type Wanted } from './share.ts';

/** The terms of a bucket: `rate` tokens are added per second, at most `burst` are saved, and at most `burst` requests may be in flight. */
export interface BucketTerms {
  readonly rate: number;
  readonly burst: number;
}

/** One process's share of a bucket. */
interface BucketShare {
  readonly tokens: Share;
  /** Slots for requests in flight. A slot is used until it is returned. */
  readonly places: Share;
  /** The end of the lease. */
  readonly until: number;
}

/** A bucket shared by several processes. All times are milliseconds of one clock. */
export interface Bucket {
  readonly level: number;
  readonly at: number;
  readonly shares: Readonly<Record<string, BucketShare>>;
}

export interface BucketCall {
  /** The name of the process. It takes another name after its lease has ended. */
  readonly holder: string;
  /** True for the first call under this name. */
  readonly isFirst: boolean;
  /** True for the last call under this name. */
  readonly isLast: boolean;
  readonly tokens: Report & Wanted;
  readonly places: { readonly returned: number } & Wanted;
}

export interface BucketAnswer {
  /** False if the process's lease has ended. Its tokens then count as used. */
  readonly isKnown: boolean;
  /** All tokens that were ever lent under this name. */
  readonly tokens: number;
  readonly places: number;
  /** Tokens that are not lent. */
  readonly level: number;
  /** The time until there is a token; 0 if there is one now. */
  readonly emptyMillis: number;
}

/** The lease of a share after the process's last call. Afterwards its tokens count as used, and its slots are free. */
export const BUCKET_LEASE_MILLIS = 15_000;
/** A process stops using its share this long after it began its last answered call. */
export const BUCKET_USABLE_MILLIS = 10_000;
/** The maximum number of processes of one bucket. Further processes have to wait until a lease ends. */
const MOST_SHARES = 64;

/** The result of one call. A null bucket is full, and no process has a share of it. */
export interface Called {
  readonly bucket: Bucket | null;
  /** The time after which the bucket is full and unshared again, if there is no further call. */
  readonly keptMillis: number;
  readonly answer: BucketAnswer;
}

/**
 * One call of a process that has a share of a bucket. The level plus all lent and unused tokens is always at most the burst: the bucket accepts
 * no more, and the tokens of an ended lease count as used. So in any time dt, at most burst + rate * dt requests are let through.
 */
export function callBucket(before: Bucket | null, terms: BucketTerms, call: BucketCall, time: number): Called {
  const { shares, ...filled } = refilled(before, terms, time);
  const own = shares[call.holder] ?? (call.isFirst && Object.keys(shares).length < MOST_SHARES ? fresh : undefined);
  if (!own) return called({ ...filled, shares }, terms, { isKnown: false, tokens: 0, places: 0, level: filled.level, emptyMillis: 0 });

  const reported = afterReport(own.tokens, call.tokens);
  const others = { ...shares };
  delete others[call.holder];
  // After the burst was lowered, more tokens may be returned than fit.
  const free = terms.burst - lentOf(others) - unusedOf(reported);
  const level = Math.max(0, Math.min(free, filled.level + reported.returned - own.tokens.returned));
  const granted = grantOf(level, call.tokens);
  const tokens = { ...reported, granted: reported.granted + granted };
  const back = afterReport(own.places, { used: 0, returned: call.places.returned });
  const freePlaces = terms.burst - placesOf(others) - takenOf(back);
  const places = { ...back, granted: back.granted + grantOf(freePlaces, call.places) };

  const kept = call.isLast ? {} : { [call.holder]: { tokens, places, until: filled.at + BUCKET_LEASE_MILLIS } };
  const left = level - granted;
  return called({ level: left, at: filled.at, shares: { ...others, ...kept } }, terms, {
    isKnown: true,
    tokens: tokens.granted,
    places: places.granted,
    level: left,
    emptyMillis: left >= 1 ? 0 : ((1 - left) / terms.rate) * 1_000,
  });
}

const fresh: BucketShare = { tokens: NO_SHARE, places: NO_SHARE, until: 0 };

/** The bucket's time never goes back, even if the clock does. Lent tokens stay reserved in the bucket until their lease ends. */
function refilled(bucket: Bucket | null, { rate, burst }: BucketTerms, time: number): Bucket {
  if (!bucket) return { level: burst, at: time, shares: {} };
  const shares = { ...bucket.shares };
  let { level, at } = bucket;
  const fill = (to: number) => {
    level = Math.max(0, Math.min(burst - lentOf(shares), level + (Math.max(0, to - at) / 1_000) * rate));
    at = Math.max(at, to);
  };
  const ended = Object.entries(shares).filter(([, { until }]) => until <= Math.max(at, time));
  for (const [holder, { until }] of ended.toSorted(([, a], [, b]) => a.until - b.until)) {
    fill(until);
    delete shares[holder];
  }
  fill(time);
  return { level, at, shares };
}

const lentOf = (shares: Bucket['shares']): number => Object.values(shares).reduce((sum, { tokens }) => sum + unusedOf(tokens), 0);

const placesOf = (shares: Bucket['shares']): number => Object.values(shares).reduce((sum, { places }) => sum + takenOf(places), 0);

function called(bucket: Bucket, { rate, burst }: BucketTerms, answer: BucketAnswer): Called {
  const isIdle = Object.keys(bucket.shares).length === 0;
  if (isIdle && bucket.level >= burst) return { bucket: null, keptMillis: 0, answer };
  const fullMillis = ((burst - bucket.level) / rate) * 1_000;
  return { bucket, keptMillis: fullMillis + (isIdle ? 0 : 2 * BUCKET_LEASE_MILLIS), answer };
}
