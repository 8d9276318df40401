import { readJson } from '@parlance/http';
import type { CallBody } from '../../adapters/calls/caller-body.ts';
import { tokensIn } from './request-tokens.ts';

/** Tokens that a model adds to each pair of a query and a document. */
const TOKENS_OF_A_PAIR = 4;

/** Each document is read together with the query. Throws the refusal `malformed_body` (invalid). */
export async function rerankTokensOf(body: CallBody): Promise<number> {
  const request = (await readJson(body.bytes)) as { readonly query?: unknown; readonly documents?: unknown };
  const documents = Array.isArray(request.documents) ? request.documents.length : 1;
  const more = (await tokensIn(request.query)) * Math.max(0, documents - 1);
  return (await tokensIn(request)) + more + documents * TOKENS_OF_A_PAIR;
}
