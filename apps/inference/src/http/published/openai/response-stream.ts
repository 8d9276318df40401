import type { StreamEvent } from '../../../adapters/stream-events.ts';
import { begunResponse, endedResponse, failedResponse, outputMessage, outputText, type ResponseHead } from './response-answer.ts';
import { replyPartsOf } from './reply-parts.ts';

const NO_TEXT = { text: '', chunks: [] } as const;

/** The events of a streamed response as server-sent events, in the order of the protocol. The last event has the whole response. */
export async function* responseEvents(head: ResponseHead, events: AsyncIterable<StreamEvent>): AsyncGenerator<string> {
  let number = 0;
  const sseEvent = (type: string, data: object): string =>
    `event: ${type}\ndata: ${JSON.stringify({ type, sequence_number: number++, ...data })}\n\n`;
  const item = { output_index: 0 } as const;
  const part = { ...item, content_index: 0, item_id: outputMessage(head, 'in_progress', []).id } as const;
  yield sseEvent('response.created', { response: begunResponse(head) });
  yield sseEvent('response.in_progress', { response: begunResponse(head) });
  yield sseEvent('response.output_item.added', { ...item, item: outputMessage(head, 'in_progress', []) });
  yield sseEvent('response.content_part.added', { ...part, part: outputText(NO_TEXT) });
  for await (const update of replyPartsOf(events)) {
    if (update.type === 'text') yield sseEvent('response.output_text.delta', { ...part, delta: update.text, logprobs: [] });
    else if (update.type === 'failed') yield sseEvent('response.failed', { response: failedResponse(head, update) });
    else if (update.type === 'ended') {
      const response = endedResponse(head, update.reply);
      const whole = outputText(update.reply);
      for (const [annotation_index, annotation] of whole.annotations.entries())
        yield sseEvent('response.output_text.annotation.added', { ...part, annotation_index, annotation });
      yield sseEvent('response.output_text.done', { ...part, text: whole.text, logprobs: [] });
      yield sseEvent('response.content_part.done', { ...part, part: whole });
      yield sseEvent('response.output_item.done', { ...item, item: response.output[0] });
      yield sseEvent(response.status === 'completed' ? 'response.completed' : 'response.incomplete', { response });
    }
  }
}
