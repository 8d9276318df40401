import { Injectable } from '@nestjs/common';
import type { WireDialect } from '@parlance/chat-models';
import { Refusal, refuse, type Sentence } from '@parlance/decider';
import { Clock } from '@parlance/foundation';
import { Budgets, NO_RESERVATION, type Reservation } from '../../adapters/budgets.ts';
import type { CallFormat } from '../../adapters/calls/call-formats.ts';
import { type CallBody, CallerBody } from '../../adapters/calls/caller-body.ts';
import { MultipartBody } from '../../adapters/calls/multipart-body.ts';
import { NotAnswered, type ProviderAnswer, refusalOf, sendCall } from '../../adapters/calls/provider-call.ts';
import { type PassingProvider } from '../../adapters/model-providers.ts';
import { Catalogue } from '../../adapters/pricing/catalogue.ts';
import type { ModelKind } from '../../adapters/pricing/model-kinds.ts';
import type { BegunCall, CallOutcome } from '../../domain/calls/call-record.ts';
import type { Price } from '../../domain/model-prices.ts';
import { type AllowedModel, AllowedModels, type ModelCaller } from './allowed-models.ts';
import { type Estimate, type Estimated, exactEstimate, FREE, roughEstimate } from './call-estimate.ts';
import { type AdmittedCall, CallLimits, refusalWith } from './call-limits.ts';
import { CallRecorder } from './call-recorder.ts';

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
  readonly signal: AbortSignal;
}

/** A call that is recorded, and must be ended. Only the first end counts. */
export interface OpenCall {
  readonly body: CallBody;
  readonly format: CallFormat;
  readonly hasOutput: boolean;
  /** Whether the provider never bills it. */
  readonly isFree: boolean;
  readonly model: AllowedModel;
  /** When the call began. Null for a model without a price. */
  readonly price: Price | null;
  /** What the call can use, by the tokenizer. */
  readonly counted: () => Promise<Estimate>;
  readonly admitted: AdmittedCall;
  /** A sentence when a soft budget is exceeded. */
  readonly warning: string | null;
  /** Null for the offline model. */
  readonly provider: PassingProvider | null;
  readonly begunAt: number;
  /** Resolves with the recorded cost, in nano-dollars. */
  end(outcome: Outcome): Promise<number>;
}

type Outcome = Omit<CallOutcome, 'callId' | 'millis'>;

/**
 * Admits calls of models in the order: terms, model, limits of the token, budgets. A call is recorded before it is sent, with the most that it
 * may cost, so that no crash loses its charge.
 */
@Injectable()
export class GatewayCalls {
  constructor(
    private readonly models: AllowedModels,
    private readonly catalogue: Catalogue,
    private readonly limits: CallLimits,
    private readonly budgets: Budgets,
    private readonly recorder: CallRecorder,
    private readonly clock: Clock,
  ) {}

  /** Throws refusals. Then nothing was sent, and nothing is charged. */
  async open({ callId, endpoint, caller, bytes, headers }: CallRequest): Promise<OpenCall> {
    const { format, hasOutput, isFree } = ENDPOINTS[endpoint];
    const body = await (format === 'transcription' ? MultipartBody.read(bytes, headers['content-type']) : CallerBody.read(bytes, format));
    const model = this.models.require(caller, body.model);
    const provider = this.providerFor(model, endpoint);
    const begunAt = this.clock.now();
    const price = isFree ? null : await this.catalogue.recentPriceAt(model.entry.id, begunAt);
    const of: Estimated = { ...model, price, format, hasOutput };
    let exact = isFree ? Promise.resolve(FREE) : undefined;
    const counted = () => (exact ??= exactEstimate(body, of));
    const admitted = await this.limits.admit(caller.tokenId, caller.terms, async () => (await counted()).tokens);
    const started = performance.now();
    try {
      const reservation = price ? await this.reserve(caller, async () => (await counted()).costNanoDollars) : NO_RESERVATION;
      const estimate = exact ? await exact : roughEstimate(body, of);
      const call = begunCall({ callId, endpoint, caller, model: body.model, begunAt, estimate, marks: reservation.marks });
      const recordId = await this.begin(call, reservation);
      let ended: Promise<number> | undefined;
      const record = async (outcome: Outcome) => {
        admitted.end(outcome.usage.inputTokens + outcome.usage.outputTokens);
        await this.recorder.end(recordId, { callId, ...outcome, millis: Math.round(performance.now() - started) });
        reservation.settle(outcome.costNanoDollars);
        return outcome.costNanoDollars;
      };
      const end = (outcome: Outcome) => (ended ??= record(outcome));
      const { warning } = reservation;
      // Without limits and prices the tokens are not counted, so the body is not parsed here.
      const settled = () => counted().catch(() => roughEstimate(body, of));
      return { body, format, hasOutput, isFree, model, price, counted: settled, admitted, warning, provider, begunAt: started, end };
    } catch (error) {
      admitted.end(0);
      throw refusalWith(admitted.remaining, error);
    }
  }

  /**
   * Throws a refusal if the provider does not answer, or null if the caller left. The call has then ended. If it is not free, the refusal says
   * that it is recorded.
   */
  async send(call: OpenCall, provider: PassingProvider, request: CallRequest): Promise<ProviderAnswer> {
    const { callId, endpoint, headers, caller, signal } = request;
    const parts = call.body.partsFor(call.model.entry.model);
    try {
      return await sendCall(provider, { endpoint, contentType: call.body.contentType, parts, headers, userId: caller.userId, signal });
    } catch (error) {
      if (!(error instanceof NotAnswered)) throw error;
      const { failed, isFree } = error;
      const status = !isFree ? 'unsettled' : failed ? 'failed' : 'cancelled';
      const amounts = isFree ? FREE : await call.counted();
      const { usage, costNanoDollars } = amounts;
      await call.end({ status, httpStatus: failed?.status ?? null, firstByteMillis: null, usage, costNanoDollars });
      if (isFree) throw failed && refusalOf(failed);
      throw recordedCall(callId, failed?.message ?? 'The server is stopping.');
    }
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

  /** The endpoints that a model can be called with. */
  endpointsOf(model: AllowedModel): readonly Endpoint[] {
    return (Object.keys(ENDPOINTS) as Endpoint[]).filter((endpoint) => this.providerAt(model, endpoint) !== undefined);
  }

  /** Throws the refusal `unsupported_parameter` (invalid) if the model's provider does not have this endpoint. */
  private providerFor(model: AllowedModel, endpoint: Endpoint): PassingProvider | null {
    const provider = this.providerAt(model, endpoint);
    if (provider !== undefined) return provider;
    const detail = `The model ${model.entry.id} cannot be called with /v1/${endpoint}.` as const;
    throw refuse('invalid', 'unsupported_parameter', detail, { errors: [{ path: 'model', message: detail }] });
  }

  /** Null for the offline model. */
  private providerAt({ entry, type }: AllowedModel, endpoint: Endpoint): PassingProvider | null | undefined {
    const { dialect, kind } = ENDPOINTS[endpoint];
    const serves = this.catalogue.serves(entry, kind);
    if (type === 'local' && kind === 'chat' && serves) return null;
    const provider = this.catalogue.providers.passingTo(entry.provider);
    return serves && provider?.access.dialect === dialect ? provider : undefined;
  }
}

/** The refusal of a call without an answer that may have cost something. A repeat would be another call. */
export const recordedCall = (callId: string, why: string): Refusal =>
  refuse('unavailable', 'recorded_not_visible', `${why} The call ${callId} is recorded and charged.` as Sentence);

interface Begin {
  readonly callId: string;
  readonly endpoint: Endpoint;
  readonly caller: ModelCaller;
  readonly model: string;
  readonly begunAt: BegunCall['begunAt'];
  readonly estimate: Estimate;
  readonly marks: readonly string[];
}

function begunCall({ callId, endpoint, caller, model, begunAt, estimate, marks }: Begin): BegunCall {
  const { tokenId, userId, terms } = caller;
  const { usage, costNanoDollars } = estimate;
  return {
    callId,
    tokenId,
    userId,
    endpoint,
    model,
    begunAt,
    reserved: { usage, costNanoDollars },
    ...(marks.length > 0 && { budgets: marks }),
    ...(terms.cost_centre !== null && { costCentre: terms.cost_centre }),
    ...(Object.keys(terms.tags).length > 0 && { tags: terms.tags }),
  };
}
