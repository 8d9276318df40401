import { Injectable } from '@nestjs/common';
import { type Refusal, refuse, type Sentence } from '@parlance/decider';
import { CACHE_HEADER } from '@parlance/http';
import type { FastifyReply } from 'fastify';
import { ShutdownPlan } from '@parlance/observability';
import { createHash } from 'node:crypto';
import type { IncomingHttpHeaders, OutgoingHttpHeaders } from 'node:http';
import { passedHeaders } from '../../../adapters/calls/provider-call.ts';
import type { ModelCaller } from '../../../workflows/calls/allowed-models.ts';
import type { Endpoint } from '../../../workflows/calls/gateway-calls.ts';
import type { CallerSeat } from './caller-seat.ts';

/** How long a repeat gets the outcome of an earlier call. */
export const KEPT_MILLIS = 60_000;
/** Outcomes that are kept, and the bytes of their answers, in all and for one token. The oldest ones go first. */
export const MOST = 10_000;
export const MOST_OF_A_TOKEN = 1_000;
export const MOST_BYTES = 32 * 1024 * 1024;
export const MOST_BYTES_OF_A_TOKEN = MOST_BYTES / 4;

/** The header in which the SDKs of OpenAI and Anthropic count how often they have sent a request before. */
const RETRY_COUNT = 'x-stainless-retry-count';
const RETRIES = /^[1-9]\d{0,2}$/;

const RECORDED = 'recorded_not_visible';

/** A request as it was received. */
export interface ReceivedCall {
  readonly endpoint: Endpoint;
  readonly caller: ModelCaller;
  readonly bytes: Buffer;
  readonly headers: IncomingHttpHeaders;
}

/** An answer that is no stream. */
export interface WholeAnswer {
  readonly status: number;
  readonly headers: OutgoingHttpHeaders;
  readonly body: Buffer;
}

/** What a call has left for a repeat of it: a place to wait in, an answer, or a refusal. */
type Outcome = { readonly seat: CallerSeat } | { readonly answer: WholeAnswer } | { readonly refusal: Refusal };

/** `done` resolves when the repeat has its answer, or with false if there will be none. */
export type Repeated = { readonly done: Promise<boolean> } | Exclude<Outcome, { seat: CallerSeat }>;

interface Unheard {
  readonly tokenId: string;
  readonly fingerprint: Promise<string>;
  readonly outcome: Outcome;
  bytes: number;
  /** Null while the call is in progress. */
  timer: NodeJS.Timeout | null;
}

/** The calls of one token. */
interface OwnCalls {
  readonly all: Set<Unheard>;
  bytes: number;
}

/**
 * The calls whose callers have left before they had the answer, and those that were charged without one. When an SDK repeats such a request, it gets the
 * outcome of the first call, because the provider may have billed that one. Kept in the memory of this process.
 */
@Injectable()
export class UnheardCalls {
  private readonly all = new Set<Unheard>();
  private readonly ofToken = new Map<string, OwnCalls>();
  private bytes = 0;

  constructor(shutdown: ShutdownPlan) {
    shutdown.stop('consumers', 'inference: calls without a caller', () => this.rest());
  }

  get size(): number {
    return this.all.size;
  }

  /**
   * Answers a request with what an earlier call has left for it. Null: it is a call of its own. A request that is no repeat by its headers also gets a
   * refusal that was charged, because some SDKs repeat it and do not say so.
   */
  async repeated(received: ReceivedCall, reply: FastifyReply): Promise<Repeated | null> {
    const { tokenId } = received.caller;
    if (!this.ofToken.has(tokenId)) return null;
    const fingerprint = await fingerprintOf(received);
    const isMarked = isRepeat(received.headers);
    // The outcome of a call in progress is added before that call is removed, so it is met here even if it comes meanwhile.
    for (const unheard of this.ofToken.get(tokenId)?.all ?? []) {
      const { outcome } = unheard;
      if ((await unheard.fingerprint) !== fingerprint || !this.all.has(unheard)) continue;
      if ('refusal' in outcome) {
        if (isMarked || outcome.refusal.code === RECORDED) return { refusal: refusedAgain(outcome.refusal) };
      } else if (isMarked && 'answer' in outcome) {
        this.forget(unheard);
        return outcome;
      } else if (isMarked && 'seat' in outcome && outcome.seat.isFree) return { done: outcome.seat.take(reply) };
    }
    return null;
  }

  /** The caller has left. A repeat takes the place, and gets the answer. */
  left(received: ReceivedCall, seat: CallerSeat): void {
    if (this.openOf(received, seat) === null) this.add(received, { seat });
  }

  /** The call in progress is left to nobody any more. */
  ended(received: ReceivedCall, seat: CallerSeat): void {
    const open = this.openOf(received, seat);
    if (open) this.forget(open);
  }

  keepAnswer(received: ReceivedCall, seat: CallerSeat, answer: WholeAnswer): void {
    if (answer.body.length <= MOST_BYTES_OF_A_TOKEN) this.keep(received, seat, { answer }, answer.body.length);
  }

  keepRefusal(received: ReceivedCall, seat: CallerSeat, refusal: Refusal): void {
    this.keep(received, seat, { refusal }, 0);
  }

  private keep(received: ReceivedCall, seat: CallerSeat, outcome: Outcome, bytes: number): void {
    const unheard = this.add(received, outcome);
    this.ended(received, seat);
    unheard.timer = setTimeout(() => this.forget(unheard), KEPT_MILLIS).unref();
    unheard.bytes = bytes;
    this.bytes += bytes;
    const own = this.ofToken.get(unheard.tokenId)!;
    own.bytes += bytes;
    while ((own.all.size > MOST_OF_A_TOKEN || own.bytes > MOST_BYTES_OF_A_TOKEN) && this.forgetOldest(own.all));
    while ((this.all.size > MOST || this.bytes > MOST_BYTES) && this.forgetOldest(this.all));
  }

  private openOf({ caller }: ReceivedCall, seat: CallerSeat): Unheard | null {
    for (const unheard of this.ofToken.get(caller.tokenId)?.all ?? [])
      if ('seat' in unheard.outcome && unheard.outcome.seat === seat) return unheard;
    return null;
  }

  private add(received: ReceivedCall, outcome: Outcome): Unheard {
    const { tokenId } = received.caller;
    const own = this.ofToken.get(tokenId) ?? { all: new Set(), bytes: 0 };
    this.ofToken.set(tokenId, own);
    const unheard: Unheard = { tokenId, fingerprint: fingerprintOf(received), outcome, bytes: 0, timer: null };
    own.all.add(unheard);
    this.all.add(unheard);
    return unheard;
  }

  /** Resolves when the calls in progress are charged. */
  private async rest(): Promise<void> {
    await Promise.all([...this.all].map(({ outcome }) => 'seat' in outcome && outcome.seat.ended()));
  }

  /** Calls in progress stay: places at providers limit their number. False if there are no others. */
  private forgetOldest(of: ReadonlySet<Unheard>): boolean {
    for (const unheard of of) if (unheard.timer !== null) return this.forget(unheard);
    return false;
  }

  private forget(unheard: Unheard): true {
    if (!this.all.delete(unheard)) return true;
    if (unheard.timer) clearTimeout(unheard.timer);
    this.bytes -= unheard.bytes;
    const own = this.ofToken.get(unheard.tokenId)!;
    own.all.delete(unheard);
    own.bytes -= unheard.bytes;
    if (own.all.size === 0) this.ofToken.delete(unheard.tokenId);
    return true;
  }
}

function isRepeat(headers: IncomingHttpHeaders): boolean {
  const count = headers[RETRY_COUNT];
  return headers['idempotency-key'] !== undefined || (typeof count === 'string' && RETRIES.test(count));
}

/** Equal for requests of one token that are identical, with the same terms. Large bodies are read beside the event loop. Headers may be long, too. */
async function fingerprintOf({ endpoint, caller, bytes, headers }: ReceivedCall): Promise<string> {
  const digest = Buffer.from(await crypto.subtle.digest('SHA-256', bytes)).toString('base64');
  const { 'content-type': type, 'idempotency-key': key, [CACHE_HEADER]: cache } = headers;
  const all = JSON.stringify([digest, endpoint, type, key, cache, passedHeaders(headers), caller.terms]);
  return createHash('sha256').update(all).digest('base64');
}

const refusedAgain = ({ kind, code, message, facts }: Refusal): Refusal =>
  code === RECORDED
    ? refuse(
        kind,
        code,
        `${message} The same request is refused for a minute, because SDKs repeat requests by themselves. To send it again, add another Idempotency-Key.` as Sentence,
        facts,
      )
    : refuse(kind, code, message, facts);
