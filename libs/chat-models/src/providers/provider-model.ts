import { type Assembled, assemble, type ModelWindow } from '../assembly/assemble.ts';
import { ChatModel, type GenerationParameters, type Produced, type Prompt, type StopReason } from '../chat-model.ts';
import { LinkedAbort } from '../linked-abort.ts';
import { failureOf, type Progress } from './failure-of.ts';
import { GenerationFailed } from './generation-failed.ts';
import { type SdkCall, type SdkModel, type SdkOptions, sdkPrompt, sdkTools } from './sdk-prompt.ts';
import { toolCallOf } from './tool-call-of.ts';
import { countUsage, reportedUsage } from './usage-of.ts';

/** Characters of text and reasoning of one answer, as many as a message may have. A longer answer is cut. */
export const LONGEST_ANSWER = 1024 * 1024;
/** Characters of a provider's model name. */
export const LONGEST_NAME = 200;
/** How long to wait for the end of a finished answer. */
const LAST_BYTES_MILLIS = 50;

/** The part of a call that differs between providers. */
export interface Dialect {
  /** Loads the provider's package. Called once, so that an unused provider costs no memory. */
  readonly open: () => Promise<SdkModel>;
  /** For requests in the format of another API, if they need another API of the provider. */
  readonly openTranslated?: () => Promise<SdkModel>;
  readonly options: (prompt: {
    readonly parameters: Pick<GenerationParameters, 'reasoningTokens'>;
  }) => Pick<SdkCall, 'reasoning' | 'providerOptions'>;
  /** Asks the provider to cache the prompt up to this point. Null if it needs no mark. */
  readonly cacheMark: SdkOptions | null;
  /** The answer's header with the provider's ID of the call. */
  readonly requestIdHeader: string;
}

export type Part = Awaited<ReturnType<SdkModel['doStream']>>['stream'] extends ReadableStream<infer Each> ? Each : never;
export type Reader = ReadableStreamDefaultReader<Part>;
export type Finish = Extract<Part, { type: 'finish' }>;

/** The state of a running call. */
interface Call {
  readonly sent: Assembled;
  produced: string;
  requestId: string | null;
  answeredBy?: string;
  finish: Finish | null;
  /** The number of tool calls. */
  calls: number;
}

/**
 * A provider's model, called through the AI SDK. It reads the stream of the SDK's language model directly, because `streamText` takes about twice
 * the CPU per piece. Each call is tried once; the router retries.
 */
export class ProviderModel extends ChatModel {
  private model: Promise<SdkModel> | undefined;

  constructor(
    private readonly dialect: Dialect,
    private readonly window: ModelWindow,
  ) {
    super();
  }

  override async prepare(): Promise<void> {
    await (this.model ??= this.dialect.open());
  }

  /** Throws `GenerationFailed`, or the signal's reason. A reason that is a `GenerationFailed` is thrown with the usage so far. */
  override async *generate(prompt: Prompt, signal: AbortSignal): AsyncGenerator<Produced> {
    signal.throwIfAborted();
    const call: Call = { sent: await assemble(prompt, this.window), produced: '', requestId: null, finish: null, calls: 0 };
    // Also ends the request when the caller leaves the loop.
    const request = new LinkedAbort(signal);
    let isWhole = false;
    let reader: Reader | undefined;
    try {
      reader = (await this.begin(call, prompt, request.signal)).getReader();
      while (call.finish === null && call.produced.length < LONGEST_ANSWER) {
        const { done, value } = await reader.read();
        if (done) break;
        if (value.type === 'error') throw value.error;
        if (value.type === 'finish') call.finish = value;
        else if (value.type === 'tool-call') {
          call.calls++;
          yield toolCallOf(value);
        }
        // Partial input counts as part of the answer even before it is complete.
        else if (value.type === 'tool-input-delta') call.produced += value.delta;
        else if (value.type === 'response-metadata') noteMetadata(call, value);
        else if ((value.type === 'text-delta' || value.type === 'reasoning-delta') && value.delta !== '') {
          const text = value.delta.slice(0, LONGEST_ANSWER - call.produced.length);
          call.produced += text;
          yield { type: value.type === 'text-delta' ? 'text' : 'reasoning', text };
        }
      }
      isWhole = call.finish !== null && (await ended(reader));
      yield await endOf(call, this.mostOutput(prompt.parameters));
    } catch (error) {
      throw await failed(error, call, signal, reader ? 'answering' : 'sent');
    } finally {
      request.unlink();
      // A complete answer has nothing left to end, and an abort would cost as much as the call itself.
      if (!isWhole) {
        request.abort();
        reader?.cancel().catch(() => undefined);
      }
    }
  }

  /** Some providers do not count reasoning towards the limit of the answer. */
  private mostOutput({ reasoningTokens, ...given }: GenerationParameters): number {
    return (mostAsked(given, this.window.maxOutputTokens) ?? this.window.contextWindow) + (reasoningTokens ?? 0);
  }

  private async begin(call: Call, prompt: Prompt, abortSignal: AbortSignal): Promise<ReadableStream<Part>> {
    const { dialect } = this;
    const model = await (this.model ??= dialect.open());
    const { stream, response } = await model.doStream({
      prompt: sdkPrompt(call.sent, prompt.isCached ? dialect.cacheMark : null),
      abortSignal,
      ...(call.sent.tools.length > 0 && { tools: sdkTools(call.sent.tools) }),
      ...parametersOf(prompt.parameters, this.window.maxOutputTokens),
      ...dialect.options(prompt),
    });
    call.requestId = response?.headers?.[dialect.requestIdHeader] ?? null;
    return stream;
  }
}

/** Null if neither limits the length of an answer. */
function mostAsked({ maxTokens }: Pick<GenerationParameters, 'maxTokens'>, mostOutputTokens: number | null): number | null {
  const most = Math.min(maxTokens ?? Infinity, mostOutputTokens ?? Infinity);
  return Number.isFinite(most) ? most : null;
}

function parametersOf(given: GenerationParameters, mostOutputTokens: number | null): Partial<SdkCall> {
  const { temperature, topP, topK, stopSequences } = given;
  const most = mostAsked(given, mostOutputTokens);
  return {
    ...(most !== null && { maxOutputTokens: most }),
    ...(temperature !== null && { temperature }),
    ...(topP !== null && { topP }),
    ...(topK !== null && { topK }),
    ...(stopSequences.length > 0 && { stopSequences: [...stopSequences] }),
  };
}

async function failed(error: unknown, call: Call, signal: AbortSignal, progress: Progress): Promise<unknown> {
  if (signal.aborted) {
    // The router aborts with a time limit as the reason. The call may be charged for the part that was produced.
    const { reason } = signal as { reason: unknown };
    return reason instanceof GenerationFailed ? reason.withUsage(await countUsage(call.sent, call.produced)) : reason;
  }
  if (error instanceof GenerationFailed) return error;
  const { failed: failure, isFree } = failureOf(error, progress);
  return isFree ? failure : failure.withUsage(await countUsage(call.sent, call.produced));
}

function noteMetadata(call: Call, { id, modelId }: Extract<Part, { type: 'response-metadata' }>): void {
  call.requestId ??= id ?? null;
  if (modelId !== undefined) call.answeredBy = modelId.slice(0, LONGEST_NAME);
}

async function endOf({ sent, produced, requestId, answeredBy, finish, calls }: Call, most: number): Promise<Produced> {
  const ids = { requestId, ...(answeredBy !== undefined && { model: answeredBy }) };
  if (produced.length >= LONGEST_ANSWER) return { type: 'end', stopReason: 'max_tokens', usage: await countUsage(sent, produced), ...ids };
  const reported = finish && reportedUsage(finish.usage, sent, { most, produced });
  const stopReason = finish && stopReasonOf(finish.finishReason, calls > 0);
  if (stopReason === null) throw new GenerationFailed('stream_broken', { usage: reported ?? (await countUsage(sent, produced)) });
  // A report of no output tokens is ignored if there is text.
  const isReported = reported && (reported.outputTokens > 0 || produced === '');
  return { type: 'end', stopReason, usage: isReported ? reported : await countUsage(sent, produced), ...ids };
}

/** Waits for the last bytes of a finished answer, so that its connection can be reused. False if they do not come. */
export async function ended(reader: Reader): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const timer = setTimeout(() => resolve(false), LAST_BYTES_MILLIS);
  return Promise.race([reader.read().then(({ done }) => done), promise]).finally(() => clearTimeout(timer));
}

/** Null for an answer that ended too early. */
export function stopReasonOf({ unified, raw }: Finish['finishReason'], hasCalls: boolean): StopReason | null {
  switch (unified) {
    case 'stop':
      // Some compatible servers end an answer with calls like any other.
      if (hasCalls) return 'tool_calls';
      return raw === 'stop_sequence' ? 'stop_sequence' : 'end_turn';
    case 'length':
      return 'max_tokens';
    case 'content-filter':
      return 'content_filtered';
    case 'tool-calls':
      return hasCalls ? 'tool_calls' : 'end_turn';
    default:
      return unified === 'other' && raw !== undefined ? 'end_turn' : null;
  }
}
