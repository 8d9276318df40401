import { tokensToPay } from '../embedding/tokens-to-pay.ts';
import type { RerankUse } from './reranker.ts';

/** Documents per search, as billed by Cohere and Amazon Bedrock. */
const DOCUMENTS_OF_A_SEARCH = 100;
/** A longer document counts as several: next to the query, which has up to 256 tokens, each part has 510. */
const TOKENS_OF_A_PART = 254;
/** No call has this many searches. */
const MOST_SEARCHES = 1_000_000;

/** How services report what they bill. */
interface Answer {
  /** Cohere. */
  readonly meta?: {
    readonly billed_units?: { readonly search_units?: unknown; readonly input_tokens?: unknown } | null;
    readonly tokens?: { readonly input_tokens?: unknown } | null;
  } | null;
  /** Jina, Voyage and vLLM. */
  readonly usage?: { readonly total_tokens?: unknown } | null;
}

/** As the answer reports it. Otherwise a search has 100 documents, and the tokens are estimated from the query and each document. */
export function rerankUse(answer: unknown, query: string, documents: readonly string[]): RerankUse {
  const { meta, usage } = (answer ?? {}) as Answer;
  const billed = meta?.billed_units;
  const texts = documents.map((document) => `${query}\n${document}`);
  const tokens = tokensToPay(usage?.total_tokens ?? billed?.input_tokens ?? meta?.tokens?.input_tokens, texts);
  const searches = billed?.search_units;
  if (!isNumberOfSearches(searches)) return { searches: Math.ceil(documents.length / DOCUMENTS_OF_A_SEARCH), ...tokens };
  return { searches, ...tokens, ...(searches > mostSearches(documents) && { suspicious: true }) };
}

/** A token has at least one byte. */
function mostSearches(documents: readonly string[]): number {
  const parts = documents.reduce((sum, text) => sum + Math.max(1, Math.ceil(Buffer.byteLength(text) / TOKENS_OF_A_PART)), 0);
  return Math.ceil(parts / DOCUMENTS_OF_A_SEARCH);
}

const isNumberOfSearches = (value: unknown): value is number =>
  Number.isSafeInteger(value) && (value as number) > 0 && (value as number) <= MOST_SEARCHES;
