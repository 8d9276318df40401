import { countTokens, plausibleTokens, usageWithin } from '@parlance/chat-models';
import type { ReadAnswer } from '../../../adapters/calls/passed-answer.ts';
import type { CallFormat } from '../../../adapters/calls/call-formats.ts';
import { reportedIn } from '../../../adapters/calls/reported-usage.ts';
import { secondsSpoken, tokensHeard } from '../../../commands/audio-tokens.ts';
import type { Usage } from '../../../domain/conversation-events.ts';
import { webSearchesIn } from './reported-fees.ts';
import type { OpenCall } from '../open-call.ts';

/** The usage of an answer: as the provider reports it, otherwise counted. A stream that broke off, or has no report at its end, is counted as far as it was read. */
export async function settledUsage({ body, format, hasOutput, counted }: OpenCall, read: ReadAnswer): Promise<Usage> {
  const within = read.report && usageWithin(reportedIn(format, read.report), await plausible(format, body, counted, read));
  const reported = within && { ...within, ...webSearchesIn(read.report) };
  if (reported && read.isFinal) return reported;
  if (format === 'transcription') return heard(read);
  const output = hasOutput ? ((await counted()).output ?? (await outputTokens(read))) : 0;
  // Anthropic reports the input when a stream begins, and the output only when it ends.
  if (reported) return { ...reported, outputTokens: Math.max(reported.outputTokens, output), estimated: true };
  const { counted: inputTokens } = await counted();
  return { inputTokens, outputTokens: output, cacheReadTokens: 0, cacheWriteTokens: 0, estimated: true };
}

/** The audio is as long as its text is spoken. */
async function heard(read: ReadAnswer): Promise<Usage> {
  const { text, share } = read.texts();
  const inputTokens = tokensHeard(secondsSpoken(text) / share);
  return { inputTokens, outputTokens: await outputTokens(read), cacheReadTokens: 0, cacheWriteTokens: 0, estimated: true };
}

async function plausible(format: CallFormat, body: OpenCall['body'], counted: OpenCall['counted'], read: ReadAnswer) {
  const asked = (body.maxTokens ?? 0) * body.choices;
  // The query of a rerank call is read with each document. A token of another tokenizer may be four of this one.
  if (format === 'rerank') return plausibleTokens(body.length + 4 * (await counted()).counted, read.bytes, asked);
  // An answer may have the addresses of images only.
  if (format === 'images') return plausibleTokens(body.length, read.bytes, (await counted()).usage.outputTokens);
  return plausibleTokens(body.length, read.bytes, asked);
}

async function outputTokens({ texts }: ReadAnswer): Promise<number> {
  const { text, share } = texts();
  return Math.ceil((await countTokens(text)).tokens / share);
}
