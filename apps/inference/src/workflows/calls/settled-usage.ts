import { countTokens, plausibleTokens, usageWithin } from '@parlance/chat-models';
import type { ReadAnswer } from '../../adapters/calls/passed-answer.ts';
import { reportedIn } from '../../adapters/calls/reported-usage.ts';
import type { Usage } from '../../domain/conversation-events.ts';
import type { OpenCall } from './gateway-calls.ts';

/** The usage of an answer: as the provider reports it, otherwise counted. A stream that broke off, or has no report at its end, is counted as far as it was read. */
export async function settledUsage({ body, format, hasOutput, counted }: OpenCall, read: ReadAnswer): Promise<Usage> {
  // The query of a rerank call is read with each document. A token of another tokenizer may be four of this one.
  const sent = format === 'rerank' ? body.length + 4 * (await counted()).counted : body.length;
  const most = plausibleTokens(sent, read.bytes, (body.maxTokens ?? 0) * body.choices);
  const reported = read.report && usageWithin(reportedIn(format, read.report), most);
  if (reported && read.isFinal) return reported;
  const output = hasOutput ? await outputTokens(read) : 0;
  // Anthropic reports the input when a stream begins, and the output only when it ends.
  if (reported) return { ...reported, outputTokens: Math.max(reported.outputTokens, output), estimated: true };
  const { counted: inputTokens } = await counted();
  return { inputTokens, outputTokens: output, cacheReadTokens: 0, cacheWriteTokens: 0, estimated: true };
}

async function outputTokens({ texts }: ReadAnswer): Promise<number> {
  const { text, share } = texts();
  return Math.ceil((await countTokens(text)).tokens / share);
}
