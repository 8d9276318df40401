import { Injectable } from '@nestjs/common';
import type { WireDialect } from '@parlance/chat-models';
import { Refusal, refuse, type Sentence } from '@parlance/decider';
import { Clock } from '@parlance/foundation';
import { Budgets, NO_RESERVATION, type Reservation } from '../../adapters/budgets.ts';
import type { CallFormat } from '../../adapters/calls/call-formats.ts';
import { type CallBody, CallerBody } from '../../adapters/calls/caller-body.ts';
import { MultipartBody } from '../../adapters/calls/multipart-body.ts';
import type { ModelKind } from '../../adapters/pricing/model-kinds.ts';
import type { BegunCall } from '../../domain/calls/call-record.ts';
import { AllowedModels, type ModelCaller } from './allowed-models.ts';
import type { Estimate } from './call-estimate.ts';
import { CallEstimates } from './call-estimates.ts';
import { CallLimits, refusalWith } from './call-limits.ts';
import { CallRecorder } from './call-recorder.ts';
import { OpenCall, type Recorded } from './open-call.ts';
import { type CallPlan, CallPlans, type PlannedTarget } from './routes/call-plans.ts';
import { translatable } from './routes/translatable-plan.ts';

/** The endpoints whose requests are passed to a provider, by their paths below `/v1/`. */
export const ENDPOINTS = {
  'chat/completions': { dialect: 'openai', format: 'openai', kind: 'chat', hasOutput: true, isFree: false },
  embeddings: { dialect: 'openai', format: 'openai', kind: 'embedding', hasOutput: false, isFree: false },
  messages: { dialect: 'anthropic', format: 'anthropic', kind: 'chat', hasOutput: true, isFree: false },
  'messages/count_tokens': { dialect: 'anthropic', format: 'anthropic', kind: 'chat', hasOutput: true, isFree: true },
  responses: { dialect: 'openai', format: 'responses', kind: 'chat', hasOutput: true, isFree: false },
  rerank: { dialect: 'openai', format: 'rerank', kind: 'rerank', hasOutput: false, isFree: false },
  'images/generations': { dialect: 'openai', format: 'images', kind: 'image_generation', hasOutput: true, isFree: false },
  'audio/speech': { dialect: 'openai', format: 'speech', kind: 'speech', hasOutput: true, isFree: false },
  'audio/transcriptions': { dialect: 'openai', format: 'transcription', kind: 'transcription', hasOutput: true, isFree: false },
  moderations: { dialect: 'openai', format: 'moderation', kind: 'moderation', hasOutput: false, isFree: false },
} as const satisfies Readonly<
  Record<string, { dialect: WireDialect; format: CallFormat; kind: ModelKind; hasOutput: boolean; isFree: boolean }>
>;
export type Endpoint = keyof typeof ENDPOINTS;

export interface CallRequest {
  readonly callId: string;
  readonly endpoint: Endpoint;
  readonly caller: ModelCaller;
  readonly bytes: Buffer;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  /** Ends the call while nothing was sent: the caller has left. */
  readonly waiting: AbortSignal;
  /** Ends the call at any time. */
  readonly signal: AbortSignal;
}

/**
 * Admits calls of models in the order: terms, model, limits of the token, budgets. A call is recorded before it is sent, with the most that it
 * may cost, so that no crash loses its charge.
 */
@Injectable()
export class GatewayCalls {
  constructor(
    private readonly models: AllowedModels,
    private readonly plans: CallPlans,
    private readonly limits: CallLimits,
    private readonly budgets: Budgets,
    private readonly recorder: CallRecorder,
    private readonly clock: Clock,
  ) {}

  /** Throws refusals. Then nothing was sent, and nothing is charged. */
  async open({ callId, endpoint, caller, bytes, headers }: CallRequest): Promise<OpenCall> {
    const { format, hasOutput, isFree } = ENDPOINTS[endpoint];
    const body = await (format === 'transcription' ? MultipartBody.read(bytes, headers['content-type']) : CallerBody.read(bytes, format));
    const planned = await this.plans.of(this.models.require(caller, body.model), endpoint, ENDPOINTS[endpoint]);
    const plan = await translatable(planned, format, body);
    const all = [...plan.targets, ...plan.fallbacks];
    const estimates = new CallEstimates(body, ENDPOINTS[endpoint]);
    const admitted = await this.limits.admit(caller.tokenId, caller.terms, () => estimates.mostTokens(all));
    try {
      const { warning, ...recorded } = await this.record({ callId, endpoint, caller, body, plan, estimates, targets: all });
      return new OpenCall({ body, format, hasOutput, isFree, plan, estimates, admitted, warning, recorded }, this.recorder);
    } catch (error) {
      admitted.end(0);
      throw refusalWith(admitted.remaining, error);
    }
  }

  /** Reserves the most that a call may cost with one of the targets, and records it. Throws refusals. */
  async record({ targets, ...of }: Recording): Promise<Recorded & { readonly warning: string | null }> {
    const { caller, estimates, callId } = of;
    const isPriced = targets.some(({ price }) => price !== null);
    const reservation = isPriced ? await this.reserve(caller, () => estimates.mostCost(targets)) : NO_RESERVATION;
    let dearest: Awaited<ReturnType<CallEstimates['dearest']>>;
    try {
      dearest = await estimates.dearest(targets);
    } catch (error) {
      reservation.release();
      throw error;
    }
    const { target, estimate } = dearest;
    const call = begunCall({ ...of, model: target.entry.id, begunAt: this.clock.now(), estimate, marks: reservation.marks });
    const { warning, settle } = reservation;
    const { costNanoDollars: reservedNanoDollars } = estimate;
    return { callId, recordId: await this.begin(call, reservation), reservedNanoDollars, settle, warning };
  }

  private reserve({ userId, tokenId, groups, terms }: ModelCaller, cost: () => Promise<number>): Promise<Reservation> {
    const payer = { userId, groups: async () => groups, botId: null, keyId: null, tokenId, costCentre: terms.cost_centre };
    return this.budgets.reserve(payer, cost);
  }

  private async begin(call: BegunCall, reservation: Reservation): Promise<string> {
    try {
      const recordId = await this.recorder.begin(call);
      reservation.keep();
      return recordId;
    } catch (error) {
      if (error instanceof Refusal && error.kind !== 'unavailable') reservation.release();
      else reservation.doubt();
      throw error;
    }
  }
}

/** The refusal of a call without an answer that may have cost something. Of the reason, only the first sentence applies: others advise to try again. */
export const recordedCall = (callId: string, why: string): Refusal =>
  refuse('unavailable', 'recorded_not_visible', `${why.split(/(?<=\.) /, 1)[0]} The call ${callId} is recorded and charged.` as Sentence, {
    look_up: '/user/me/calls',
  });

/** What is recorded before a call is sent to one of its targets. */
interface Recording {
  readonly callId: string;
  readonly endpoint: Endpoint;
  readonly caller: ModelCaller;
  readonly body: CallBody;
  readonly plan: CallPlan;
  readonly estimates: CallEstimates;
  readonly targets: readonly PlannedTarget[];
}

interface Begin extends Pick<Recording, 'callId' | 'endpoint' | 'caller' | 'plan'> {
  readonly model: string;
  readonly begunAt: BegunCall['begunAt'];
  readonly estimate: Estimate;
  readonly marks: readonly string[];
}

function begunCall({ callId, endpoint, caller, plan, model, begunAt, estimate, marks }: Begin): BegunCall {
  const { tokenId, userId, terms } = caller;
  const { usage, costNanoDollars } = estimate;
  return {
    callId,
    tokenId,
    userId,
    endpoint,
    model,
    ...(plan.route && { route: plan.route.id }),
    begunAt,
    reserved: { usage, costNanoDollars },
    ...(marks.length > 0 && { budgets: marks }),
    ...(terms.cost_centre !== null && { costCentre: terms.cost_centre }),
    ...(Object.keys(terms.tags).length > 0 && { tags: terms.tags }),
  };
}
