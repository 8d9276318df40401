import { openAiError } from '@parlance/http';
import type { StreamEvent } from '../../../adapters/stream-events.ts';
import { chatAnnotationsOf, type ChatHead, chatUsageOf } from './chat-answer.ts';
import { causeOf } from './ended-reply.ts';
import { replyPartsOf } from './reply-parts.ts';

/** A server-sent event without a name. */
const sseEvent = (data: object): string => `data: ${JSON.stringify(data)}\n\n`;
const DONE = 'data: [DONE]\n\n';

/** The chunks of a streamed chat completion as server-sent events. If the reply fails, the stream ends with an error, without `[DONE]`. */
export async function* chatChunks(
  { id, created, model }: ChatHead,
  events: AsyncIterable<StreamEvent>,
  { includesUsage }: { readonly includesUsage: boolean },
): AsyncGenerator<string> {
  const chunk = (choices: readonly object[], usage: object | null = null): string =>
    sseEvent({ id, object: 'chat.completion.chunk', created, model, choices, ...(includesUsage && { usage }) });
  const delta = (change: object, finish_reason: string | null = null): string =>
    chunk([{ index: 0, delta: change, logprobs: null, finish_reason }]);
  yield delta({ role: 'assistant', content: '' });
  for await (const part of replyPartsOf(events)) {
    if (part.type === 'text') yield delta({ content: part.text });
    else if (part.type === 'reasoning') yield delta({ reasoning_content: part.text });
    else if (part.type === 'failed') yield sseEvent(openAiError({ status: 503, code: part.code, detail: part.message }));
    else {
      const annotations = chatAnnotationsOf(part.reply);
      if (annotations.length > 0) yield delta({ annotations });
      yield delta({}, causeOf(part.reply));
      if (includesUsage) yield chunk([], chatUsageOf(part.reply.usage));
      yield DONE;
    }
  }
}
