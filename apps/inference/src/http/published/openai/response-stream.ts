import type { StreamEvent } from '../../../adapters/stream-events.ts';
import { begunResponse, endedResponse, failedResponse, outputMessage, outputText, type ResponseHead } from './response-answer.ts';
import { toldOf } from './told-reply.ts';

const NO_TEXT = { text: '', chunks: [] } as const;

/** The events of a streamed response, each as a server-sent event, in the order of the protocol. The last one has the whole response. */
export async function* responseEvents(head: ResponseHead, events: AsyncIterable<StreamEvent>): AsyncGenerator<string> {
  let number = 0;
  const sent = (type: string, data: object): string =>
    `event: ${type}\ndata: ${JSON.stringify({ type, sequence_number: number++, ...data })}\n\n`;
  const item = { output_index: 0 } as const;
  const part = { ...item, content_index: 0, item_id: outputMessage(head, 'in_progress', []).id } as const;
  yield sent('response.created', { response: begunResponse(head) });
  yield sent('response.in_progress', { response: begunResponse(head) });
  yield sent('response.output_item.added', { ...item, item: outputMessage(head, 'in_progress', []) });
  yield sent('response.content_part.added', { ...part, part: outputText(NO_TEXT) });
  for await (const told of toldOf(events)) {
    if (told.type === 'text') yield sent('response.output_text.delta', { ...part, delta: told.text, logprobs: [] });
    else if (told.type === 'failed') yield sent('response.failed', { response: failedResponse(head, told) });
    else if (told.type === 'ended') {
      const response = endedResponse(head, told.reply);
      const whole = outputText(told.reply);
      for (const [annotation_index, annotation] of whole.annotations.entries())
        yield sent('response.output_text.annotation.added', { ...part, annotation_index, annotation });
      yield sent('response.output_text.done', { ...part, text: whole.text, logprobs: [] });
      yield sent('response.content_part.done', { ...part, part: whole });
      yield sent('response.output_item.done', { ...item, item: response.output[0] });
      yield sent(response.status === 'completed' ? 'response.completed' : 'response.incomplete', { response });
    }
  }
}
