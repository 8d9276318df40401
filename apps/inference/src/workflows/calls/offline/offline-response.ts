import { responseOf } from '@parlance/chat-models';
import type { OfflineAnswer } from './offline-answer.ts';

const partOf = (text: string) => ({ type: 'output_text', text, annotations: [], logprobs: [] });
const itemOf = (id: string, status: 'in_progress' | 'completed', texts: readonly string[]) => ({
  id: `msg_${id}`,
  type: 'message',
  role: 'assistant',
  status,
  content: texts.map(partOf),
});

/** An answer of the offline model in the format of OpenAI's Responses. */
export function offlineResponse(answer: OfflineAnswer) {
  const { inputTokens: input_tokens, outputTokens: output_tokens } = answer.usage;
  return {
    ...responseOf(answer),
    status: 'completed',
    output: [itemOf(answer.id, 'completed', [answer.text])],
    usage: {
      input_tokens,
      input_tokens_details: { cached_tokens: 0 },
      output_tokens,
      output_tokens_details: { reasoning_tokens: 0 },
      total_tokens: input_tokens + output_tokens,
    },
  };
}

/** As `offlineResponse`, in events. */
export function offlineResponseEvents(answer: OfflineAnswer): string {
  const { id, text } = answer;
  const item = { output_index: 0 };
  const part = { ...item, content_index: 0, item_id: `msg_${id}` };
  const events = [
    { type: 'response.created', response: responseOf(answer) },
    { type: 'response.in_progress', response: responseOf(answer) },
    { type: 'response.output_item.added', ...item, item: itemOf(id, 'in_progress', []) },
    { type: 'response.content_part.added', ...part, part: partOf('') },
    { type: 'response.output_text.delta', ...part, delta: text, logprobs: [] },
    { type: 'response.output_text.done', ...part, text, logprobs: [] },
    { type: 'response.content_part.done', ...part, part: partOf(text) },
    { type: 'response.output_item.done', ...item, item: itemOf(id, 'completed', [text]) },
    { type: 'response.completed', response: offlineResponse(answer) },
  ];
  return events
    .map(({ type, ...event }, sequence_number) => `event: ${type}\ndata: ${JSON.stringify({ type, sequence_number, ...event })}\n\n`)
    .join('');
}
