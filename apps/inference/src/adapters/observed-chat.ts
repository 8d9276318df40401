import { ChatModel, GenerationFailed, type Produced, type Prompt } from '@parlance/chat-models';
import { type ModelEntry, type ModelProvider, PROVIDER_TYPES } from '@parlance/config';
import type { CalledModel, ModelCall, ModelCalls } from '@parlance/observability';

/** The names for a model's calls in spans and metrics. */
export const calledModel = ({ id, model, provider }: ModelEntry, { type }: Pick<ModelProvider, 'type'>): CalledModel => ({
  operation: 'chat',
  provider: PROVIDER_TYPES[type].telemetryName ?? provider,
  model,
  attributes: { 'parlance.model': id },
});

/** Adds spans and metrics to a model's calls. Parts pass through unchanged, without another generator. */
export class ObservedChat extends ChatModel {
  constructor(
    private readonly model: ChatModel,
    private readonly called: CalledModel,
    private readonly calls: ModelCalls,
  ) {
    super();
  }

  override generate(prompt: Prompt, signal: AbortSignal): AsyncIterable<Produced> {
    return { [Symbol.asyncIterator]: () => this.observed(prompt, signal) };
  }

  private observed(prompt: Prompt, signal: AbortSignal): AsyncIterator<Produced> {
    const parts = this.model.generate(prompt, signal)[Symbol.asyncIterator]();
    const call = this.calls.begin({ ...this.called, attributes: { ...this.called.attributes, ...requestAttributes(prompt) } });
    return {
      async next() {
        try {
          const next = await parts.next();
          if (next.done) call.failed('stream_broken');
          else observe(call, next.value);
          return next;
        } catch (error) {
          const failure = error instanceof GenerationFailed ? error : null;
          call.failed(failure?.code ?? (signal.aborted ? 'cancelled' : '_OTHER'), failure?.usage);
          throw error;
        }
      },
      async return() {
        // The reader left before the end.
        call.failed('cancelled');
        await parts.return?.();
        return { done: true, value: undefined };
      },
    };
  }
}

function observe(call: ModelCall, part: Produced): void {
  if (part.type !== 'end') return call.firstPart();
  const { usage, requestId: responseId, stopReason: finishReason } = part;
  call.ended({ usage, responseId, responseModel: part.model ?? null, finishReason });
}

function requestAttributes({ parameters: { maxTokens, temperature, topP, topK } }: Prompt) {
  const attributes = {
    'gen_ai.request.max_tokens': maxTokens,
    'gen_ai.request.temperature': temperature,
    'gen_ai.request.top_p': topP,
    'gen_ai.request.top_k': topK,
  };
  return Object.fromEntries(Object.entries(attributes).filter((each): each is [string, number] => each[1] !== null));
}
