import { Injectable } from '@nestjs/common';
import { Refusal, refuse } from '@parlance/decider';
import { newId } from '@parlance/event-store';
import { EventStreams } from '@parlance/foundation';
import { CACHE_HEADER } from '@parlance/http';
import type { FastifyReply } from 'fastify';
import type { IncomingMessage, OutgoingHttpHeaders } from 'node:http';
import { EVENT_STREAM, passStream, readWhole } from '../../adapters/calls/passed-answer.ts';
import type { ProviderAnswer } from '../../adapters/calls/provider-call.ts';
import type { ModelCaller } from '../../workflows/calls/allowed-models.ts';
import { AnswerCache, type CachedAnswer } from '../../workflows/calls/cache/answer-cache.ts';
import { cacheSecondsOf } from '../../workflows/calls/cache/cache-wish.ts';
import { type CachedCall, cachedCall } from '../../workflows/calls/cache/cached-call.ts';
import { remainingIn } from '../../workflows/calls/call-limits.ts';
import { CallMemory, type HeldBytes } from '../../workflows/calls/call-memory.ts';
import { type CallRequest, type Endpoint, GatewayCalls, recordedCall } from '../../workflows/calls/gateway-calls.ts';
import { CallGuards } from '../../workflows/calls/guarded/call-guards.ts';
import type { GuardedCall } from '../../workflows/calls/guarded/guarded-call.ts';
import { FREE } from '../../workflows/calls/call-estimate.ts';
import type { OpenCall } from '../../workflows/calls/open-call.ts';
import { RoutedCalls } from '../../workflows/calls/routes/routed-calls.ts';
import { inputTokensOf } from '../../workflows/calls/call-inputs.ts';
import { type ResponseCall, ResponseCalls } from '../../workflows/calls/stored/response-call.ts';
import { CallCharges, statusOf } from '../../workflows/calls/charging/call-charges.ts';
import { OfflineCalls } from '../../workflows/calls/offline/offline-calls.ts';
import { errorEvent, refusalIn } from './call-ends.ts';
import { CallerSeat } from './repeats/caller-seat.ts';
import { answerAgain, sendWhole } from './repeats/repeated-answer.ts';
import { type ReceivedCall, UnheardCalls } from './repeats/unheard-calls.ts';
import { callHeaders, COST_HEADER, costText, limitHeaders, MODEL_HEADER } from './call-headers.ts';

const MISSED = { [CACHE_HEADER]: 'miss' };
const NOT_STORED = { 'cache-control': 'no-store' };

/** A call whose answer is being sent. */
interface Answering {
  readonly call: OpenCall;
  readonly received: ReceivedCall;
  readonly seat: CallerSeat;
  readonly held: HeldBytes;
  /** Null if no policy applies. */
  readonly guard: GuardedCall | null;
  /** Null if the answer may not be cached. */
  readonly cached: CachedCall | null;
  /** Null if the answer is not stored and continues no stored response. */
  readonly response: ResponseCall | null;
}

/** Answers calls of models. The end of an answer is sent when its charge is recorded. */
@Injectable()
export class CallAnswers {
  constructor(
    private readonly calls: GatewayCalls,
    private readonly routed: RoutedCalls,
    private readonly guards: CallGuards,
    private readonly memory: CallMemory,
    private readonly cache: AnswerCache,
    private readonly responses: ResponseCalls,
    private readonly charges: CallCharges,
    private readonly offline: OfflineCalls,
    private readonly streams: EventStreams,
    private readonly unheard: UnheardCalls,
  ) {}

  /** Throws refusals while nothing was sent. */
  async answer(endpoint: Endpoint, caller: ModelCaller, bytes: Buffer, { headers }: IncomingMessage, reply: FastifyReply): Promise<void> {
    const received = { endpoint, caller, bytes, headers };
    // A repeat holds its own bytes while it waits for the first call.
    const held = this.memory.take(caller.userId, bytes.length);
    try {
      for (let repeated = await this.unheard.repeated(received, reply); repeated; repeated = await this.unheard.repeated(received, reply))
        if (await answerAgain(repeated, reply)) return;
      await this.answerFirst(received, reply, held);
    } finally {
      held.release();
    }
  }

  private async answerFirst(received: ReceivedCall, reply: FastifyReply, held: HeldBytes): Promise<void> {
    const seat = new CallerSeat(reply, (left) => this.unheard.left(received, left));
    try {
      await this.call(received, seat, held);
      seat.leave();
    } catch (error) {
      seat.leave(error);
    } finally {
      this.unheard.ended(received, seat);
    }
  }

  private async call(received: ReceivedCall, seat: CallerSeat, held: HeldBytes): Promise<void> {
    const { bytes } = received;
    await this.streams.whileOpen(seat.reply, async (waiting) => {
      const first: CallRequest = { callId: newId(), ...received, waiting, signal: this.streams.ending };
      const response = await this.continued(first);
      const request = response ? { ...first, bytes: response.bytes } : first;
      held.add(request.bytes.length - bytes.length);
      const ttlSeconds = cacheSecondsOf(request);
      const call = await this.calls.open(request).catch((error: unknown) => {
        void seat.reply.headers(limitHeaders(remainingIn(error)));
        throw error;
      });
      let sent = false;
      try {
        const guard = this.guards.of(call);
        // Each response has an ID of its own.
        const cached = response ? null : cachedCall(this.cache, request, call, ttlSeconds);
        const answering = { call, received, seat, held, guard, cached, response };
        const original = call.body;
        await guard?.check();
        if (call.body !== original) held.add(call.body.length);
        const found = cached?.found;
        if (found) return await this.answerFound(answering, found);
        const answer = await this.routed.send(call, request);
        if (answer === null) return await this.answerOffline(answering, waiting);
        sent = true;
        await this.pass(answering, answer);
      } catch (error) {
        // Has no effect if the outcome is recorded.
        const { usage, costNanoDollars } = sent ? await call.counted() : FREE;
        const status = sent ? 'unsettled' : 'failed';
        const cost = await call.end({ status, httpStatus: null, firstByteMillis: null, usage, costNanoDollars });
        if (error instanceof Refusal && (cost > 0 || isCharged(error))) this.unheard.keepRefusal(received, seat, error);
        const { reply } = seat;
        // Without an error, the call has ended with its caller and was free. A repeat in the place then makes it.
        if (seat.isFree || (error === null && !this.streams.ending.aborted)) return;
        if (reply.raw.headersSent) return void reply.raw.destroy();
        void reply.headers({ ...callHeaders(call), [COST_HEADER]: costText(cost) });
        if (error instanceof Refusal && isCharged(error)) void reply.header('x-should-retry', 'false');
        throw error ?? refuse('unavailable', 'service_unavailable', 'The server is stopping. Try again.', { retry_after: 1 });
      }
    });
  }

  /** The memory for the earlier responses is taken before they are read. */
  private async continued(request: CallRequest): Promise<ResponseCall | null> {
    let earlier: HeldBytes | null = null;
    try {
      return await this.responses.begin(request, (bytes) => (earlier = this.memory.take(request.caller.userId, bytes)));
    } finally {
      (earlier as HeldBytes | null)?.release();
    }
  }

  private async pass(answering: Answering, answer: ProviderAnswer): Promise<void> {
    const { call, seat, held, guard, cached, response } = answering;
    const { status, contentType, body, refusal, silence } = answer;
    if (refusal) {
      answer.end(null);
      await this.charges.charge(call, 'refused', { status, firstByteMillis: null, usage: NO_USAGE });
      return this.send(answering, status, contentType, refusal, 0);
    }
    const isAudio = call.format === 'speech' && !contentType.startsWith('application/json');
    const isStream = isAudio || contentType.startsWith(EVENT_STREAM);
    const guarded = guard?.answersOf(contentType) ?? null;
    const collected = cached?.collecting(guarded, held);
    const filter = response?.answering(guarded) ?? collected ?? guarded;
    const begin = () => this.begin(answering, status, contentType);
    if (isStream && seat.isFree) {
      silence.stop();
      await seat.occupied(this.streams.ending);
      silence.restart();
    }
    const read = isStream
      ? await passStream(body, call.body.wantsUsage, { res: seat.reply.raw, format: call.format, begin, silence, held, filter })
      : await readWhole(body, { silence, filter, held });
    const { failure } = read;
    answer.end(failure === 'left' ? null : failure);
    const charged = await this.charges.of(call, status, read);
    const isBlocked = guard?.isBlocked && failure === null;
    const isUnheard = failure === null && !isStream && seat.isFree;
    const cost = await this.charges.charge(call, isBlocked ? 'blocked' : isUnheard ? 'cancelled' : statusOf(read), charged);
    if (failure === 'left') return;
    const { reply } = seat;
    const res = reply.raw;
    if (failure !== null && !res.headersSent) throw recordedCall(call.callId, failure.message);
    // The caller must see that the stream is incomplete.
    if (failure !== null && !answer.isTranslated) return void res.destroy();
    if (failure !== null) {
      res.addTrailers({ [COST_HEADER]: costText(cost) });
      return void res.end(errorEvent(call.format, recordedCall(call.callId, failure.message), reply));
    }
    if (collected && !isBlocked && status === 200 && read.report && read.isFinal) cached!.keep(collected, call.model.entry.id, contentType);
    const refused = isBlocked ? guard.refusal(call.callId) : await refusalIn(response?.store(call.callId));
    if (!isStream && refused) throw refused;
    if (!isStream) return this.send(answering, status, contentType, read.rest, cost);
    res.addTrailers({ [COST_HEADER]: costText(cost) });
    res.end(refused ? errorEvent(call.format, refused, reply) : read.rest);
  }

  /** An answer that the caller's user has received before. It costs nothing. */
  private async answerFound(answering: Answering, { model, contentType, body }: CachedAnswer): Promise<void> {
    const outcome = { status: 'completed', httpStatus: null, firstByteMillis: null, usage: NO_USAGE, costNanoDollars: 0 } as const;
    await answering.call.end({ ...outcome, isCached: true });
    this.send(answering, 200, contentType, body, 0, { [CACHE_HEADER]: 'hit', [MODEL_HEADER]: model });
  }

  private async answerOffline(answering: Answering, signal: AbortSignal): Promise<void> {
    const { call, guard, response } = answering;
    const { body } = call;
    if (call.isFree) {
      const counted = JSON.stringify({ input_tokens: await inputTokensOf(body) });
      await this.charges.charge(call, 'completed', { status: 200, firstByteMillis: 0, usage: NO_USAGE });
      return this.send(answering, 200, 'application/json', Buffer.from(counted), 0);
    }
    const answer = await this.offline.answer(call, guard, signal);
    const charged = { status: 200, firstByteMillis: 0, usage: answer.usage };
    const cost = await this.charges.charge(call, guard?.isBlocked ? 'blocked' : 'completed', charged);
    if (guard?.isBlocked) throw guard.refusal(call.callId);
    const contentType = body.isStreamed ? EVENT_STREAM : 'application/json';
    const sent = this.offline.body(call, answer);
    const shown = await response?.answering(null)[body.isStreamed ? 'end' : 'whole'](sent);
    await response?.store(call.callId);
    this.send(answering, 200, contentType, shown ?? sent, cost);
  }

  private begin({ call, received, seat, cached }: Answering, status: number, contentType: string): void {
    seat.close();
    this.unheard.ended(received, seat);
    const { reply } = seat;
    reply.hijack();
    const own = { ...callHeaders(call), ...NOT_STORED, 'content-type': contentType, trailer: COST_HEADER, ...(cached && MISSED) };
    reply.raw.writeHead(status, { ...(reply.getHeaders() as OutgoingHttpHeaders), ...own, 'x-accel-buffering': 'no' });
    reply.raw.flushHeaders();
  }

  private send(
    { call, received, seat, cached }: Answering,
    status: number,
    contentType: string,
    body: Buffer,
    cost: number,
    more = {},
  ): void {
    const own = { ...callHeaders(call), ...NOT_STORED, 'content-type': contentType, [COST_HEADER]: costText(cost) };
    const headers = { ...own, ...(cached && MISSED), ...more };
    const answer = { status, headers, body };
    seat.close();
    if (seat.isFree) this.unheard.keepAnswer(received, seat, answer);
    else sendWhole(seat.reply, answer);
  }
}

const { usage: NO_USAGE } = FREE;

const isCharged = ({ code }: Refusal): boolean => code === 'recorded_not_visible';
