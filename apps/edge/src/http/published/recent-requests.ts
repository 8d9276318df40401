import type { ServerResponse } from 'node:http';
import { Injectable } from '@nestjs/common';
import { Instant } from '@parlance/decider';
import { Clock } from '@parlance/foundation';
import { OldestFirst } from './oldest-first.ts';

/** How long a request can be repeated after its last answer is over. */
export const REPEATABLE_MILLIS = 60_000;
/** The most requests that are kept, in total and for one API key. Each takes 0.7 KB (measured). Requests that ended first are removed first. */
export const MOST_RECENT = 20_000;
export const MOST_RECENT_OF_KEY = 2_000;

/** A request as it was sent. */
export interface SentRequest {
  readonly keyId: string;
  /** Equal for requests of one key that are identical to the byte. */
  readonly fingerprint: string;
  /** How often the client has sent the request before; `EACH` if each request with this fingerprint repeats the first. */
  readonly attempt: number;
}

export const EACH = Infinity;

/** A request that begins work, together with its repeats. They count as one request, and one use of the quota. */
export class RecentRequest {
  /** How many times the client has repeated the request so far. */
  attempt: number;
  /** The answers in progress. */
  readonly open = new Set<ServerResponse>();
  /** Whether the request was a use of the quota. */
  isCounted = false;
  /** Whether one of the answers has reached its client completely. */
  isAnswered = false;
  keptUntil = Instant.ofMillis(0);

  constructor(
    readonly sent: SentRequest,
    /** The ID of the resource that the request creates. */
    readonly newId: string,
  ) {
    this.attempt = this.isKeyed ? 0 : sent.attempt;
  }

  /** Whether each request with the same fingerprint is a repeat, even after the answer. */
  get isKeyed(): boolean {
    return this.sent.attempt === EACH;
  }

  /** Whether the request was a use of the quota, or may become one: an unfinished answer counts as a use unless it is a refusal. */
  get isUse(): boolean {
    return this.isCounted || [...this.open].some((res) => !isRefused(res));
  }
}

/** The requests of one key. */
interface KeyRequests {
  readonly byFingerprint: Map<string, RecentRequest[]>;
  /** Requests without an open answer, in the order in which they ended. */
  readonly over: OldestFirst<RecentRequest>;
  size: number;
}

/** Remembers for a minute which requests clients may repeat automatically, in the memory of this edge. Bodies and answers are not kept. */
@Injectable()
export class RecentRequests {
  private readonly keys = new Map<string, KeyRequests>();
  private readonly over = new OldestFirst<RecentRequest>();
  private total = 0;

  constructor(private readonly clock: Clock) {}

  get size(): number {
    return this.total;
  }

  has(keyId: string): boolean {
    return this.keys.has(keyId);
  }

  /**
   * The request that this one repeats; null if there is none. A client repeats only a request that failed, or that it abandoned: an
   * identical request that is still being answered belongs to another caller.
   */
  repeatedBy({ keyId, fingerprint, attempt }: SentRequest): RecentRequest | null {
    if (attempt === 0) return null;
    this.forgetOld();
    let best: RecentRequest | null = null;
    for (const one of this.keys.get(keyId)?.byFingerprint.get(fingerprint) ?? [])
      if (one.attempt < attempt && (attempt === EACH || one.open.size === 0) && one.attempt >= (best?.attempt ?? 0)) best = one;
    return best;
  }

  /** Must be called when a request is forwarded. `newId`: the ID of the resource that it creates, unless it repeats an earlier request. */
  enter(sent: SentRequest, newId: string, res: ServerResponse): RecentRequest {
    const request = this.repeatedBy(sent) ?? this.begin(sent, newId);
    if (sent.attempt !== EACH) request.attempt = sent.attempt;
    request.open.add(res);
    this.keys.get(sent.keyId)?.over.delete(request);
    this.over.delete(request);
    const end = () => this.end(request, res);
    if (res.destroyed) end();
    else res.once('close', end);
    return request;
  }

  forgetOld(): void {
    const now = this.clock.now();
    for (let { oldest } = this.over; oldest && oldest.keptUntil <= now; { oldest } = this.over) this.forget(oldest);
  }

  private begin(sent: SentRequest, newId: string): RecentRequest {
    this.forgetOld();
    const request = new RecentRequest(sent, newId);
    const own = this.keys.get(sent.keyId) ?? { byFingerprint: new Map<string, RecentRequest[]>(), over: new OldestFirst(), size: 0 };
    const full = own.size >= MOST_RECENT_OF_KEY ? own.over : this.total >= MOST_RECENT ? this.over : null;
    if (full?.oldest) this.forget(full.oldest);
    // All kept requests are being answered, so this one is not kept. A repeat of it counts as a new request.
    if (own.size >= MOST_RECENT_OF_KEY || this.total >= MOST_RECENT) return request;
    const alike = own.byFingerprint.get(sent.fingerprint);
    if (alike) alike.push(request);
    else own.byFingerprint.set(sent.fingerprint, [request]);
    own.size++;
    this.total++;
    this.keys.set(sent.keyId, own);
    return request;
  }

  private end(request: RecentRequest, res: ServerResponse): void {
    const { writableFinished, statusCode } = res;
    request.open.delete(res);
    request.isAnswered ||= writableFinished && statusCode < 400;
    const { keyId, fingerprint } = request.sent;
    const own = this.keys.get(keyId);
    if (request.open.size > 0 || !own?.byFingerprint.get(fingerprint)?.includes(request)) return;
    if (request.isAnswered && !request.isKeyed) return this.forget(request);
    request.keptUntil = Instant.plus(this.clock.now(), REPEATABLE_MILLIS);
    own.over.add(request);
    this.over.add(request);
  }

  private forget(request: RecentRequest): void {
    const { keyId, fingerprint } = request.sent;
    const own = this.keys.get(keyId)!;
    const alike = own.byFingerprint.get(fingerprint)!.filter((each) => each !== request);
    if (alike.length > 0) own.byFingerprint.set(fingerprint, alike);
    else own.byFingerprint.delete(fingerprint);
    own.over.delete(request);
    this.over.delete(request);
    this.total--;
    if (--own.size === 0) this.keys.delete(keyId);
  }
}

/** Whether the answer returns its use of the quota. */
const isRefused = ({ headersSent, statusCode }: ServerResponse): boolean => headersSent && statusCode >= 400 && statusCode < 500;
