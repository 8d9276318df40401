import { openAiError } from '@parlance/http';
import type { StreamEvent } from '../../../adapters/stream-events.ts';
import { chatAnnotationsOf, type ChatHead, chatUsageOf } from './chat-answer.ts';
import { causeOf } from './ended-reply.ts';
import { toldOf } from './told-reply.ts';

/** A server-sent event without a name. */
const sent = (data: object): string => `data: ${JSON.stringify(data)}\n\n`;
const DONE = 'data: [DONE]\n\n';

/** The chunks of a streamed chat completion, each as a server-sent event. A reply that fails ends the stream with an error, and without `[DONE]`. */
export async function* chatChunks(
  { id, created, model }: ChatHead,
  events: AsyncIterable<StreamEvent>,
  { includesUsage }: { readonly includesUsage: boolean },
): AsyncGenerator<string> {
  const chunk = (choices: readonly object[], usage: object | null = null): string =>
    sent({ id, object: 'chat.completion.chunk', created, model, choices, ...(includesUsage && { usage }) });
  const said = (delta: object, finish_reason: string | null = null): string => chunk([{ index: 0, delta, logprobs: null, finish_reason }]);
  yield said({ role: 'assistant', content: '' });
  for await (const told of toldOf(events)) {
    if (told.type === 'text') yield said({ content: told.text });
    else if (told.type === 'reasoning') yield said({ reasoning_content: told.text });
    else if (told.type === 'failed') yield sent(openAiError({ status: 503, code: told.code, detail: told.message }));
    else {
      const annotations = chatAnnotationsOf(told.reply);
      if (annotations.length > 0) yield said({ annotations });
      yield said({}, causeOf(told.reply));
      if (includesUsage) yield chunk([], chatUsageOf(told.reply.usage));
      yield DONE;
    }
  }
}
