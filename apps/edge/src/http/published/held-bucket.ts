import { newId } from '@parlance/event-store';
import { HeldShare, Pace } from '@parlance/limits';
import type { LimitedKey, RateLimitHeaders } from './api-limits.ts';
import type { ThrottleCall, ThrottleLent } from './limit-calls.ts';

type Throttle = LimitedKey['throttle'];

/** The least time before more is requested for an empty bucket. */
const LEAST_EMPTY_MILLIS = 50;
/** How long to wait before requesting slots again when there are none. */
const FULL_MILLIS = 100;
const KEPT_MILLIS = 2_000;
const SMALL_PART = 16;
/** Slots that are borrowed in addition to those needed. */
const SPARE_SLOTS = 3;

/** This edge's share of one key's throttle: tokens, and slots for requests in flight. Times are of a monotonic clock. */
export class HeldBucket {
  private holder = newId();
  private isFirst = true;
  private tokens = new HeldShare();
  private slots = { granted: 0, returned: 0 };
  private usableUntil = 0;
  private level = 0;
  private answeredAt = 0;
  private readonly pace = new Pace();
  terms: Throttle | null = null;
  inFlight = 0;
  /** No token can be borrowed before this time. */
  emptyUntil = 0;
  /** Whether tokens or slots were used that were not reported to the publication service yet. */
  isDirty = false;

  /**
   * Takes a token and a slot. Tokens and slots lent under other terms are not used. `isAsked`: the share comes from an answer that is newer than the
   * request, so its terms apply even if the request has other ones.
   */
  admit(terms: Throttle, now: number, isAsked: boolean): boolean {
    if (!isAsked && !this.hasTerms(terms)) this.drop();
    if (now >= this.usableUntil || this.tokens.available < 1 || this.freeSlots < 1) return false;
    this.tokens.take();
    this.tokens.keep();
    this.inFlight++;
    this.isDirty = true;
    return true;
  }

  hasTerms({ rate_limit, burst_limit }: Throttle): boolean {
    return this.terms !== null && this.terms.rate_limit === rate_limit && this.terms.burst_limit === burst_limit;
  }

  /** Whether the share must be renewed soon, because requests in flight need their slots. */
  isEnding(now: number, millis: number): boolean {
    return this.inFlight > 0 && this.usableUntil - now < millis;
  }

  get holdsAny(): boolean {
    return this.tokens.available > 0 || this.slots.granted > this.slots.returned;
  }

  /** Whether there are tokens or slots that no request in flight needs. */
  get hasIdle(): boolean {
    return this.tokens.available > 0 || this.freeSlots > 0;
  }

  /** Whether the share may stay unused for a while, because it is a small part of the limit. */
  mayBeKept(idleMillis: number): boolean {
    const burst = this.terms?.burst_limit ?? 0;
    return idleMillis < KEPT_MILLIS && this.tokens.available * SMALL_PART <= this.level && this.freeSlots * SMALL_PART <= burst;
  }

  call(waiting: number, now: number): ThrottleCall {
    if (!this.isFirst && now >= this.usableUntil) this.begin();
    const missing = Math.max(0, waiting - this.freeSlots);
    const wanted = waiting === 0 ? 0 : Math.max(waiting, this.pace.next(now));
    this.isDirty = false;
    return {
      ...this.facts(false),
      tokens: { ...this.tokens.report, needed: waiting, wanted },
      places: { ...this.slotsReport, needed: missing, wanted: missing === 0 ? 0 : missing + SPARE_SLOTS },
    };
  }

  /** Returns what requests in flight do not need. From now on, nothing of that is used. */
  giveBack(): ThrottleCall {
    const isLast = this.inFlight === 0;
    this.drop();
    const nothing = { needed: 0, wanted: 0 };
    const call = { ...this.facts(isLast), tokens: { ...this.tokens.report, ...nothing }, places: { ...this.slotsReport, ...nothing } };
    this.isDirty = false;
    if (isLast) this.begin();
    return call;
  }

  /** `began`: when the call was sent. Answers to calls under an earlier `holder` ID are ignored. */
  answered({ holder, tokens, places }: ThrottleCall, lent: ThrottleLent, began: number, now: number): void {
    if (holder !== this.holder) return;
    this.terms = lent.terms;
    if (!lent.is_known) return this.begin();
    this.isFirst = false;
    this.tokens.lent(lent.tokens);
    this.slots.granted = Math.max(this.slots.granted, lent.places);
    this.usableUntil = began + lent.usable_millis;
    this.level = lent.level;
    this.answeredAt = now;
    this.emptyUntil = 0;
    if (places.needed > 0 && this.freeSlots < 1) this.emptyUntil = now + FULL_MILLIS;
    if (tokens.needed > 0 && this.tokens.available < 1) this.emptyUntil = now + Math.max(LEAST_EMPTY_MILLIS, lent.empty_millis);
  }

  headers(terms: Throttle, now: number): RateLimitHeaders {
    const { rate_limit, burst_limit } = this.terms ?? terms;
    const had = this.level + this.tokens.available + ((now - this.answeredAt) / 1_000) * rate_limit;
    const remaining = Math.max(0, Math.min(burst_limit, Math.floor(had)));
    const reset = Math.ceil(Date.now() / 1_000 + (burst_limit - remaining) / rate_limit);
    return { limit: burst_limit, remaining, reset };
  }

  /** The slots without a request in flight. Requests that were admitted under an earlier `holder` ID count too. */
  private get freeSlots(): number {
    return this.slots.granted - this.slots.returned - this.inFlight;
  }

  private get slotsReport() {
    return { used: 0, returned: this.slots.returned };
  }

  private facts(isLast: boolean) {
    return { holder: this.holder, is_first: this.isFirst, is_last: isLast };
  }

  /** Stops using what is idle. The next call returns it. */
  private drop(): void {
    if (!this.hasIdle) return;
    this.tokens.keepOnly(0);
    this.slots.returned += Math.max(0, this.freeSlots);
    this.isDirty = true;
  }

  private begin(): void {
    this.holder = newId();
    this.isFirst = true;
    this.tokens = new HeldShare();
    this.slots = { granted: 0, returned: 0 };
    this.usableUntil = 0;
  }
}
