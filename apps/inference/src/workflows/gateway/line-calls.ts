import { EventEmitter } from 'node:events';
import { Injectable } from '@nestjs/common';
import { type Refusal, refuse } from '@parlance/decider';
import { openAiErrorForm, problemOf } from '@parlance/http';
import { readWhole } from '../../adapters/calls/passed-answer.ts';
import type { ProviderAnswer } from '../../adapters/calls/provider-call.ts';
import { MAX_BATCH_ANSWER_BYTES } from '../../domain/gateway/gateway-limits.ts';
import type { ModelCaller } from '../calls/allowed-models.ts';
import { FREE } from '../calls/call-estimate.ts';
import { CallMemory, type HeldBytes } from '../calls/call-memory.ts';
import { CallCharges, statusOf } from '../calls/charging/call-charges.ts';
import { type CallRequest, type Endpoint, GatewayCalls, recordedCall } from '../calls/gateway-calls.ts';
import { CallGuards } from '../calls/guarded/call-guards.ts';
import type { GuardedCall } from '../calls/guarded/guarded-call.ts';
import { OfflineCalls } from '../calls/offline/offline-calls.ts';
import type { OpenCall } from '../calls/open-call.ts';
import { RoutedCalls } from '../calls/routes/routed-calls.ts';

export interface LineRequest {
  /** A new one for each time that the request is sent. */
  readonly callId: string;
  readonly endpoint: Endpoint;
  readonly caller: ModelCaller;
  readonly bytes: Buffer;
  readonly signal: AbortSignal;
  /** Larger answers are replaced by the error `answer_too_large`. */
  readonly mostBytes?: number;
}

/** The answer to one request of a batch, as a direct call would have received it. */
export interface LineAnswer {
  readonly status: number;
  readonly callId: string;
  readonly body: Buffer;
}

/** The caller's end of an answer, which is gone when the signal aborts. */
class Reader extends EventEmitter {
  destroyed = false;

  constructor(signal: AbortSignal) {
    super();
    const leave = () => {
      this.destroyed = true;
      this.emit('close');
    };
    if (signal.aborted) this.destroyed = true;
    else signal.addEventListener('abort', leave, { once: true });
  }
}

/** Makes the calls of batches and of tools on the same path as direct calls: terms, limits, budgets, policies, routes, charges and records. */
@Injectable()
export class LineCalls {
  constructor(
    private readonly calls: GatewayCalls,
    private readonly routed: RoutedCalls,
    private readonly guards: CallGuards,
    private readonly memory: CallMemory,
    private readonly charges: CallCharges,
    private readonly offline: OfflineCalls,
  ) {}

  /**
   * Calls `keep` with the answer before the charge is recorded, so that a crash in between does not repeat the request. Throws the refusals of a direct call:
   * then `keep` was not called.
   */
  async run(
    { callId, endpoint, caller, bytes, signal, mostBytes = MAX_BATCH_ANSWER_BYTES }: LineRequest,
    keep: (answer: LineAnswer) => Promise<void>,
  ): Promise<void> {
    const held = this.memory.take(caller.userId, bytes.length);
    try {
      const request: CallRequest = { callId, endpoint, caller, bytes, headers: {}, waiting: signal, signal };
      const call = await this.calls.open(request);
      let isSent = false;
      try {
        const guard = this.guards.of(call);
        const original = call.body;
        await guard?.check();
        if (call.body !== original) held.add(call.body.length);
        const answer = await this.routed.send(call, request);
        if (answer === null) return await this.answerOffline(call, guard, signal, keep);
        isSent = true;
        await this.take(call, guard, answer, { held, signal, mostBytes, keep });
      } catch (error) {
        // Has no effect if the outcome is recorded.
        const { usage, costNanoDollars } = isSent ? await call.counted() : FREE;
        await call.end({ status: isSent ? 'unsettled' : 'failed', httpStatus: null, firstByteMillis: null, usage, costNanoDollars });
        throw error ?? stopping();
      }
    } finally {
      held.release();
    }
  }

  private async take(
    call: OpenCall,
    guard: GuardedCall | null,
    answer: ProviderAnswer,
    {
      held,
      signal,
      mostBytes,
      keep,
    }: {
      readonly held: HeldBytes;
      readonly signal: AbortSignal;
      readonly mostBytes: number;
      readonly keep: (answer: LineAnswer) => Promise<void>;
    },
  ): Promise<void> {
    const { callId } = call;
    const { status, contentType, body, refusal, silence } = answer;
    if (refusal) {
      answer.end(null);
      await keep({ status, callId, body: refusal });
      await this.charges.charge(call, 'refused', { status, firstByteMillis: null, usage: FREE.usage });
      return;
    }
    const filter = guard?.answersOf(contentType) ?? null;
    const read = await readWhole(body, { reader: new Reader(signal), silence, filter, held });
    const { failure } = read;
    answer.end(failure === 'left' ? null : failure);
    const charged = await this.charges.of(call, status, read);
    const isBlocked = guard?.isBlocked === true && failure === null;
    if (failure === 'left') {
      await this.charges.charge(call, 'cancelled', charged);
      throw stopping();
    }
    if (failure !== null) await keep(refused(recordedCall(callId, failure.message), callId));
    else if (isBlocked) await keep(refused(guard.refusal(callId), callId));
    else if (read.rest.length > mostBytes) await keep(refused(tooLarge(mostBytes), callId));
    else await keep({ status, callId, body: read.rest });
    await this.charges.charge(call, isBlocked ? 'blocked' : statusOf(read), charged);
  }

  private async answerOffline(
    call: OpenCall,
    guard: GuardedCall | null,
    signal: AbortSignal,
    keep: (answer: LineAnswer) => Promise<void>,
  ): Promise<void> {
    const answer = await this.offline.answer(call, guard, signal);
    const isBlocked = guard?.isBlocked === true;
    const { callId } = call;
    await keep(isBlocked ? refused(guard.refusal(callId), callId) : { status: 200, callId, body: this.offline.body(call, answer) });
    await this.charges.charge(call, isBlocked ? 'blocked' : 'completed', { status: 200, firstByteMillis: 0, usage: answer.usage });
  }
}

/** A refusal as the answer of a direct call. */
export function refused(refusal: unknown, callId: string): LineAnswer {
  const { status, body } = problemOf(refusal, callId);
  return { status, callId, body: Buffer.from(JSON.stringify(openAiErrorForm.of(body))) };
}

const stopping = (): Refusal => refuse('unavailable', 'service_unavailable', 'The server is stopping. Try again.', { retry_after: 1 });

const tooLarge = (most: number): Refusal =>
  refuse('too_large', 'answer_too_large', `The answer may have ${most} bytes. The call is recorded and charged.`);
