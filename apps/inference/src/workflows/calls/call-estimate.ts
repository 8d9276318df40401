import { readJson } from '@parlance/http';
import { costOf } from '@parlance/money';
import { type ModelEntry, PROVIDER_TYPES, type ProviderType } from '@parlance/config';
import type { CallerBody } from '../../adapters/calls/caller-body.ts';
import { mostTokensOfBytes, TOKENS_OF_AN_IMAGE, tokensOfTexts } from '../../commands/prompt-tokens.ts';
import { MARGIN, OUTPUT_TOKENS } from '../../commands/reply-reservations.ts';
import type { Usage } from '../../domain/conversation-events.ts';
import { cacheWriteHourOf, type Price } from '../../domain/model-prices.ts';

/** Tokens that a provider adds to a prompt and around its messages. */
const ADDED_TOKENS = 200;
/** Names of fields with a file or its address. Anthropic has the text of a document there, too. */
const FILE_FIELDS = new Set(['url', 'image_url', 'data', 'file_data']);
const FILE = /^(?:https?:\/\/\S{1,4096}|(?:data:[^,\s]{0,200},)?[A-Za-z0-9+/=_-]*)$/;

/** The most that a call can use and cost. */
export interface Estimate {
  /** The input as it was counted, without a margin. */
  readonly counted: number;
  readonly usage: Usage;
  readonly costNanoDollars: number;
  readonly tokens: number;
}

/** What determines the estimate besides the request. */
export interface Estimated {
  readonly entry: ModelEntry;
  readonly type: ProviderType;
  readonly price: Price | null;
  /** False for embeddings, which have no output. */
  readonly hasOutput: boolean;
}

/** Estimates from the size of the request. Its input is at least what the tokenizer counts. */
export const roughEstimate = (body: CallerBody, of: Estimated): Estimate => estimated(mostTokensOfBytes(body.length), body, of);

/** Counts the texts of the request with the tokenizer, and adds a bound for each file. Throws the refusal `malformed_body` (invalid). */
export const exactEstimate = async (body: CallerBody, of: Estimated): Promise<Estimate> =>
  estimated(await inputTokensOf(body), body, of, ADDED_TOKENS);

/** Throws the refusal `malformed_body` (invalid). */
export async function inputTokensOf(body: CallerBody): Promise<number> {
  const texts: string[] = [];
  const others = collect(await readJson(body.bytes), texts);
  return (await tokensOfTexts([texts.join('\n')])) + others;
}

/** The estimate of a call that no provider bills. */
export const FREE: Estimate = {
  counted: 0,
  usage: { inputTokens: 0, outputTokens: 0, cacheReadTokens: 0, cacheWriteTokens: 0, estimated: false },
  costNanoDollars: 0,
  tokens: 0,
};

function estimated(counted: number, { maxTokens, choices }: CallerBody, of: Estimated, added = 0): Estimate {
  const { entry, type, price, hasOutput } = of;
  const { context_window: window, max_output_tokens: most } = entry;
  const margin = PROVIDER_TYPES[type].hasOwnTokenizer ? 1 + MARGIN : 1;
  const inputTokens = Math.min(Math.ceil((counted + added) * margin), window);
  const ofChoice = Math.min(maxTokens ?? most ?? OUTPUT_TOKENS, most ?? window, window);
  const outputTokens = hasOutput ? ofChoice * choices : 0;
  const usage = { inputTokens, outputTokens, cacheReadTokens: 0, cacheWriteTokens: 0, estimated: true };
  const dearest = price ? Math.max(price.input, price.cacheRead, price.cacheWrite, cacheWriteHourOf(price)) : 0;
  const costNanoDollars = price ? costOf(inputTokens, dearest) + costOf(outputTokens, price.output) : 0;
  return { counted: Math.min(counted, window), usage, costNanoDollars, tokens: inputTokens + outputTokens };
}

/** Collects the texts of a request. Returns the tokens of its files, and of input that is already tokens. */
function collect(value: unknown, texts: string[], name = ''): number {
  if (typeof value === 'number') return 1;
  if (typeof value === 'string') {
    if (FILE_FIELDS.has(name) && FILE.test(value)) return TOKENS_OF_AN_IMAGE;
    texts.push(value);
    return 0;
  }
  if (typeof value !== 'object' || value === null) return 0;
  let others = 0;
  if (Array.isArray(value)) for (const item of value) others += collect(item, texts, name);
  else
    for (const [key, field] of Object.entries(value)) {
      texts.push(key);
      others += collect(field, texts, key);
    }
  return others;
}
