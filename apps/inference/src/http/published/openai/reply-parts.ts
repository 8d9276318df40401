import type { StreamEvent } from '../../../adapters/stream-events.ts';
import type { UsedChunk } from '../../answers.ts';
import type { EndedReply, FailedReply } from './ended-reply.ts';

/** A part of a reply that is passed on while it is written. The last one is `ended` or `failed`. */
export type ReplyPart =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'reasoning'; readonly text: string }
  | { readonly type: 'ended'; readonly reply: EndedReply }
  | ({ readonly type: 'failed' } & FailedReply);

const BROKEN = {
  type: 'failed',
  code: 'stream_broken',
  message: 'The stream ended before the reply did. Send the request again.',
} as const;
const BEGUN_AGAIN = {
  type: 'failed',
  code: 'stream_broken',
  message: 'The process that wrote the reply was lost, and the reply is being written again. Send the request again.',
} as const;

/**
 * The parts of a reply for standards that cannot retract text: if a reply is written again after some of its text was sent, the stream ends as
 * failed. Always ends with `ended` or `failed`.
 */
export async function* replyPartsOf(events: AsyncIterable<StreamEvent>): AsyncGenerator<ReplyPart> {
  const texts = { text: '', reasoning: '' };
  const chunks: UsedChunk[] = [];
  for await (const { event, data } of events) {
    if (event === 'restarted' && texts.text + texts.reasoning !== '') return yield BEGUN_AGAIN;
    if (event === 'delta' || event === 'reasoning') {
      const type = event === 'delta' ? 'text' : 'reasoning';
      const { text } = data as { text: string };
      texts[type] += text;
      yield { type, text };
    } else if (event === 'citation') chunks.push(data as UsedChunk);
    else if (event === 'error') return yield { type: 'failed', ...(data as FailedReply) };
    else if (event === 'done') {
      const { stop_reason: stopReason, usage, guardrail } = data as Done;
      return yield { type: 'ended', reply: { ...texts, chunks, stopReason, usage, isBlocked: guardrail === 'blocked' } };
    }
  }
  yield BROKEN;
}

interface Done {
  readonly stop_reason: string;
  readonly usage: EndedReply['usage'];
  readonly guardrail?: string;
}
