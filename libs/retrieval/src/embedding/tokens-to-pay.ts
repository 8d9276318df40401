import { estimatedTokens } from './batches.ts';
import type { EmbeddingTokens } from './embedder.ts';

/** No call has this many tokens. A larger number cannot be charged. */
export const MOST_REPORTED_TOKENS = 100_000_000;

/** Tokens that a provider may add to a text, such as an instruction. */
export const MOST_ADDED_TOKENS = 256;

/** The reported tokens. A token has at least one byte, so a higher report is suspicious. Estimated if the report is not a valid number of tokens. */
export function tokensToPay(reported: unknown, texts: readonly string[]): EmbeddingTokens {
  if (!isNumberOfTokens(reported)) return { tokens: estimatedTokens(texts), estimated: true };
  const most = texts.reduce((sum, text) => sum + Buffer.byteLength(text) + MOST_ADDED_TOKENS, 0);
  return { tokens: reported, estimated: false, ...(reported > most && { suspicious: true }) };
}

const isNumberOfTokens = (reported: unknown): reported is number =>
  Number.isSafeInteger(reported) && (reported as number) > 0 && (reported as number) <= MOST_REPORTED_TOKENS;
