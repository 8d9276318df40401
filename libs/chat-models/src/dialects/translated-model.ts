import type { Dialect, Part } from '../providers/provider-model.ts';
import {
  dialectOf,
  LEAST_REASONING_TOKENS,
  type ModelSettings,
  type ProviderSettings,
  type RemoteProvider,
  TAKES_BUDGET,
} from '../providers/open-chat-model.ts';
import type { ProviderHttp } from '../providers/provider-http.ts';
import type { SdkCall, SdkModel, SdkOptions } from '../providers/sdk-prompt.ts';
import { anthropicRequest } from './requests/anthropic-request.ts';
import { openAiRequest } from './requests/openai-request.ts';
import { unsupported } from './requests/request-fields.ts';
import { responsesRequest } from './requests/responses-request.ts';
import { present, type TranslatedFormat, type TranslatedRequest, type TranslationTarget } from './translation-target.ts';

/** A model whose provider has another API than its callers. */
export interface TranslatedSettings extends ModelSettings {
  readonly type: Exclude<ProviderSettings['type'], 'local'>;
  /** Whether the provider takes a number of tokens for reasoning, and adds it to the most tokens of the answer. */
  readonly takesBudget: boolean;
}

/** The answer of a provider in the form of the AI SDK. */
export interface TranslatedParts {
  readonly parts: ReadableStream<Part>;
  readonly headers: Readonly<Record<string, string>>;
}

const readers = { openai: openAiRequest, anthropic: anthropicRequest, responses: responsesRequest } as const satisfies Record<
  TranslatedFormat,
  unknown
>;

/** A model that is called with requests in the format of another API. Each call is tried once. */
export class TranslatedModel {
  private model: Promise<SdkModel> | undefined;
  private readonly target: TranslationTarget;

  constructor(
    private readonly dialect: Dialect,
    private readonly settings: TranslatedSettings,
  ) {
    const { type, capabilities } = settings;
    // Anthropic's own marks need no translation: the request is never in its format.
    this.target = { type, cacheMark: type === 'bedrock' ? dialect.cacheMark : null, canReason: capabilities.includes('reasoning') };
  }

  /** The provider's name of the model. */
  get name(): string {
    return this.settings.model;
  }

  /** Rejects with `UntranslatableRequest`. */
  async translated(format: TranslatedFormat, body: unknown): Promise<TranslatedRequest> {
    const request = await readers[format](body, this.target);
    if (!request.prompt.some(({ role }) => role !== 'system'))
      throw unsupported(format === 'responses' ? 'input' : 'messages', 'must have a message');
    return request;
  }

  /** Rejects with the error of the SDK, or the signal's reason. */
  async send(request: TranslatedRequest, abortSignal: AbortSignal): Promise<TranslatedParts> {
    const { dialect } = this;
    const model = await (this.model ??= (dialect.openTranslated ?? dialect.open)());
    const { stream, response } = await model.doStream({ ...this.callOf(request), abortSignal });
    return { parts: stream, headers: response?.headers ?? {} };
  }

  private callOf({ prompt, parameters, reasoningTokens, hasParallelCalls }: TranslatedRequest): SdkCall {
    const { dialect, settings } = this;
    const most = parameters.maxOutputTokens ?? settings.max_output_tokens ?? undefined;
    const tokens = settings.takesBudget ? budgetWithin(reasoningTokens, most, prompt) : reasoningTokens;
    const { reasoning, providerOptions } = dialect.options({ parameters: { reasoningTokens: tokens } });
    const own = most !== undefined && settings.takesBudget && tokens !== null ? most - tokens : most;
    return {
      ...parameters,
      prompt,
      ...present({ maxOutputTokens: own, reasoning }),
      providerOptions: joined(providerOptions, parallelCalls(settings.type, hasParallelCalls)),
    } as SdkCall;
  }
}

/** The caller's limit includes reasoning. Null if too little is left, or if the reasoning before unfinished calls of tools is not known. */
function budgetWithin(tokens: number | null, most = Infinity, prompt: TranslatedRequest['prompt']): number | null {
  const last = prompt.findLast(({ role }) => role === 'assistant');
  const isUnfinished = prompt.at(-1)?.role === 'tool' || prompt.at(-2)?.role === 'tool';
  const hasReasoning = last?.role === 'assistant' && last.content.some(({ type }) => type === 'reasoning');
  if (tokens === null || (isUnfinished && !hasReasoning)) return null;
  const budget = Math.min(Math.max(tokens, LEAST_REASONING_TOKENS), Math.floor(most / 2));
  return budget < LEAST_REASONING_TOKENS ? null : budget;
}

function parallelCalls(type: TranslatedSettings['type'], hasParallelCalls: boolean | undefined): SdkOptions {
  if (hasParallelCalls === undefined) return {};
  switch (type) {
    case 'openai':
      return { openai: { parallelToolCalls: hasParallelCalls } };
    case 'openai_compatible':
      return { openaiCompatible: { parallel_tool_calls: hasParallelCalls } };
    case 'anthropic':
      return { anthropic: { disableParallelToolUse: !hasParallelCalls } };
    case 'bedrock':
      return {};
  }
}

function joined(one: SdkOptions | undefined, other: SdkOptions): SdkOptions {
  const names = new Set([...Object.keys(one ?? {}), ...Object.keys(other)]);
  return Object.fromEntries([...names].map((name) => [name, { ...one?.[name], ...other[name] }]));
}

/** Null for a provider that is not called over a network. No request is sent and no provider package is loaded before the first use. */
export function openTranslatedModel(entry: ModelSettings, provider: ProviderSettings, http: ProviderHttp | null): TranslatedModel | null {
  const { type } = provider;
  if (type === 'local' || http === null) return null;
  const takesBudget = (type === 'anthropic' || type === 'bedrock') && TAKES_BUDGET.test(entry.model);
  const settings: RemoteProvider = { ...provider, type };
  return new TranslatedModel(dialectOf(entry, settings, http.fetch as typeof globalThis.fetch), { ...entry, type, takesBudget });
}
