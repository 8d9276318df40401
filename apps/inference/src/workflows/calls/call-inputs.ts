import { readJson } from '@parlance/http';
import type { CallFormat } from '../../adapters/calls/call-formats.ts';
import type { CallBody } from '../../adapters/calls/caller-body.ts';
import { MultipartBody } from '../../adapters/calls/multipart-body.ts';
import { secondsIn, secondsSpoken, tokensHeard, tokensSpoken, tokensWritten } from '../../commands/audio-tokens.ts';
import { rerankTokensOf } from './rerank-tokens.ts';
import { tokensIn } from './request-tokens.ts';

/** What a request can use, as far as it tells. */
export interface CallInput {
  readonly input: number;
  /** Null if only the answer, or the model's own limit, tells. */
  readonly output: number | null;
}

/** Throws the refusal `malformed_body` (invalid). */
export const inputTokensOf = async (body: CallBody): Promise<number> => tokensIn(await readJson(body.bytes));

/** Throws the refusal `malformed_body` (invalid). */
export async function callInputOf(body: CallBody, format: CallFormat): Promise<CallInput> {
  switch (format) {
    case 'rerank':
      return { input: await rerankTokensOf(body), output: null };
    case 'speech': {
      const request = (await readJson(body.bytes)) as { readonly input?: unknown };
      const text = typeof request.input === 'string' ? request.input : '';
      return { input: await tokensIn(request), output: tokensSpoken(secondsSpoken(text)) };
    }
    case 'transcription': {
      const seconds = body instanceof MultipartBody ? secondsIn(body.file) : 0;
      return { input: tokensHeard(seconds), output: tokensWritten(seconds) };
    }
    default:
      return { input: await inputTokensOf(body), output: null };
  }
}
