import type { WireDialect } from '../providers/wire-access.ts';
import type { SdkCall, SdkOptions, SdkPrompt } from '../providers/sdk-prompt.ts';

/** The formats of requests that are translated. */
export type TranslatedFormat = WireDialect | 'responses';

/** Messages and parts of a request. The SDK converts all of them in one step. */
export const MOST_PARTS = 5_000;

/** What a request is translated for. */
export interface TranslationTarget {
  readonly type: 'openai' | 'openai_compatible' | 'anthropic' | 'bedrock';
  /** Null if the provider needs no marks, or takes none. */
  readonly cacheMark: SdkOptions | null;
  /** Whether the model reasons when it is asked to. */
  readonly canReason: boolean;
}

/** A request in the form of the AI SDK. */
export interface TranslatedRequest {
  readonly prompt: SdkPrompt;
  readonly parameters: Omit<SdkCall, 'prompt' | 'providerOptions' | 'abortSignal' | 'reasoning'>;
  /** Tokens that the model may use for reasoning before it answers. Null means as the provider does by default. */
  readonly reasoningTokens: number | null;
  /** Whether the model may call several tools at once. Undefined leaves it to the provider. */
  readonly hasParallelCalls: boolean | undefined;
}

type Message = SdkPrompt[number];
export type UserPart = Extract<Message, { role: 'user' }>['content'][number];
export type FilePart = Extract<UserPart, { type: 'file' }>;
export type AssistantPart = Extract<Message, { role: 'assistant' }>['content'][number];
export type ResultPart = Extract<Extract<Message, { role: 'tool' }>['content'][number], { type: 'tool-result' }>;
export type ToolChoice = NonNullable<SdkCall['toolChoice']>;
export type Tool = Extract<NonNullable<SdkCall['tools']>[number], { type: 'function' }>;
export type ResponseFormat = Extract<NonNullable<SdkCall['responseFormat']>, { type: 'json' }>;
export type Schema = Tool['inputSchema'];

/** Whether the provider takes instructions only before the first message. */
export const takesInstructionsFirst = ({ type }: TranslationTarget): boolean => type === 'anthropic' || type === 'bedrock';

/** Puts instructions first, in their order. */
export const withInstructionsFirst = (prompt: SdkPrompt): SdkPrompt => [
  ...prompt.filter(({ role }) => role === 'system'),
  ...prompt.filter(({ role }) => role !== 'system'),
];

/** Tokens of reasoning for an effort. They are turned into an effort again for a model that takes one. */
export const REASONING_TOKENS: ReadonlyMap<string, number | null> = new Map([
  ['none', null],
  ['minimal', 1_024],
  ['low', 2_048],
  ['medium', 8_192],
  ['high', 16_384],
  ['xhigh', 32_768],
  ['max', 32_768],
]);

/** The parameters that are present. */
export function present<Value extends object>(value: Value): { [Name in keyof Value]: Exclude<Value[Name], undefined> } {
  return Object.fromEntries(Object.entries(value).filter(([, each]) => each !== undefined)) as never;
}
