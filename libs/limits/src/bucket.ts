import { afterReport, grantOf, NO_SHARE, type Report, type Share, takenOf, unusedOf, type Wanted } from './share.ts';

/** How many requests are let through: `rate` tokens a second flow in, at most `burst` are saved, and at most `burst` requests are in flight. */
export interface BucketTerms {
  readonly rate: number;
  readonly burst: number;
}

/** What one process has of a bucket. */
interface BucketShare {
  readonly tokens: Share;
  /** For requests in flight. A place is used until it is returned. */
  readonly places: Share;
  /** The end of the lease. */
  readonly until: number;
}

/** A bucket that several processes use. Times are of one clock for all of them, in milliseconds. */
export interface Bucket {
  readonly level: number;
  readonly at: number;
  readonly shares: Readonly<Record<string, BucketShare>>;
}

export interface BucketCall {
  /** The process. It takes another name when its lease has ended. */
  readonly holder: string;
  /** Its first call under this name. */
  readonly isFirst: boolean;
  /** It wants nothing more under this name. */
  readonly isLast: boolean;
  readonly tokens: Report & Wanted;
  readonly places: { readonly returned: number } & Wanted;
}

export interface BucketAnswer {
  /** False if the lease of the holder has ended. What it had counts as used. */
  readonly isKnown: boolean;
  /** All that was ever lent under this name. */
  readonly tokens: number;
  readonly places: number;
  /** Tokens that are not lent. */
  readonly level: number;
  /** When there will be a token; 0 if there is one. */
  readonly emptyMillis: number;
}

/** How long a share is a process's own after its last call. Its tokens then count as used, and its places are free. */
export const BUCKET_LEASE_MILLIS = 15_000;
/** A process stops using its share so long after it began the last call that was answered. */
export const BUCKET_USABLE_MILLIS = 10_000;
/** Processes of one bucket. More have to wait until a lease ends. */
const MOST_SHARES = 64;

/** What one call makes of a bucket. A null bucket is full, and no process has a share. */
export interface Called {
  readonly bucket: Bucket | null;
  /** When the bucket is null by itself. */
  readonly keptMillis: number;
  readonly answer: BucketAnswer;
}

/**
 * One call of a process that has a share of a bucket. At all times the level and all that is lent and unused are together at most the burst:
 * the bucket never takes in more, and an ended lease counts as used. So in any time dt at most burst + rate * dt requests are let through.
 */
export function callBucket(before: Bucket | null, terms: BucketTerms, call: BucketCall, time: number): Called {
  const { shares, ...filled } = refilled(before, terms, time);
  const mine = shares[call.holder] ?? (call.isFirst && Object.keys(shares).length < MOST_SHARES ? fresh : undefined);
  if (!mine) return called({ ...filled, shares }, terms, { isKnown: false, tokens: 0, places: 0, level: filled.level, emptyMillis: 0 });

  const reported = afterReport(mine.tokens, call.tokens);
  const others = { ...shares };
  delete others[call.holder];
  // After the burst was lowered, more may come back than fits.
  const free = terms.burst - lentOf(others) - unusedOf(reported);
  const level = Math.max(0, Math.min(free, filled.level + reported.returned - mine.tokens.returned));
  const granted = grantOf(level, call.tokens);
  const tokens = { ...reported, granted: reported.granted + granted };
  const back = afterReport(mine.places, { used: 0, returned: call.places.returned });
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

/** The time never steps back, also if the clock does. What is lent stays reserved in the bucket until its lease ends. */
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
