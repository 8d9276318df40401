import { costOf } from '@parlance/money';
import { type ModelEntry, PROVIDER_TYPES, type ProviderType } from '@parlance/config';
import type { CallBody } from '../../adapters/calls/caller-body.ts';
import type { CallFormat } from '../../adapters/calls/call-formats.ts';
import { mostTokensOfBytes } from '../../commands/prompt-tokens.ts';
import { MARGIN, OUTPUT_TOKENS } from '../../commands/reply-reservations.ts';
import type { Usage } from '../../domain/conversation-events.ts';
import { cacheWriteHourOf, type Price } from '../../domain/model-prices.ts';
import type { CallInput } from './call-inputs.ts';

/** Tokens that a provider adds to a prompt and around its messages. */
const ADDED_TOKENS = 200;
/** Speech may be slower than usual. */
const OUTPUT_MARGIN = 2;

/** The most that a call can use and cost. */
export interface Estimate {
  /** The input as it was counted, without a margin. */
  readonly counted: number;
  /** The output without a margin, if it is known from the request. Null if the answer has to be counted. */
  readonly output: number | null;
  readonly usage: Usage;
  readonly costNanoDollars: number;
  readonly tokens: number;
}

/** What determines the estimate besides the request. */
export interface Estimated {
  readonly entry: ModelEntry;
  readonly type: ProviderType;
  readonly price: Price | null;
  readonly format: CallFormat;
  /** False for embeddings and others without output. Their input may be many texts, each within the window. */
  readonly hasOutput: boolean;
}

/** Estimates from the size of the request. Its input is at least what the tokenizer counts. */
export const roughEstimate = (body: CallBody, of: Estimated): Estimate =>
  estimated({ input: mostTokensOfBytes(body.length), output: null }, body, of);

/** The estimate of a request whose input was counted by `callInputOf`. */
export const estimateOf = (input: CallInput, body: CallBody, of: Estimated): Estimate => estimated(input, body, of, ADDED_TOKENS);

/** The estimate of a call that no provider bills. */
export const FREE: Estimate = {
  counted: 0,
  output: 0,
  usage: { inputTokens: 0, outputTokens: 0, cacheReadTokens: 0, cacheWriteTokens: 0, estimated: false },
  costNanoDollars: 0,
  tokens: 0,
};

function estimated({ input: counted, output }: CallInput, { maxTokens, choices }: CallBody, of: Estimated, added = 0): Estimate {
  const { entry, type, price, format, hasOutput } = of;
  const { context_window: window, max_output_tokens: most } = entry;
  const margin = PROVIDER_TYPES[type].hasOwnTokenizer ? 1 + MARGIN : 1;
  const mostInput = hasOutput ? window : Infinity;
  const inputTokens = Math.min(Math.ceil((counted + added) * margin), mostInput);
  const ofChoice = Math.min(maxTokens ?? most ?? OUTPUT_TOKENS, most ?? window, window);
  const outputTokens = !hasOutput ? 0 : output === null ? ofChoice * choices : OUTPUT_MARGIN * output;
  const usage = { inputTokens, outputTokens, cacheReadTokens: 0, cacheWriteTokens: 0, estimated: true };
  const dearest = price ? Math.max(price.input, price.cacheRead, price.cacheWrite, cacheWriteHourOf(price)) : 0;
  const costNanoDollars = price ? costOf(inputTokens, dearest) + costOf(outputTokens, price.output) : 0;
  const known = format === 'images' ? outputTokens : output;
  return { counted: Math.min(counted, mostInput), output: known, usage, costNanoDollars, tokens: inputTokens + outputTokens };
}
