import { DEFAULT_PARAMETERS, type Turn } from '@parlance/chat-models';
import type { ChatFormat } from '../../../adapters/calls/call-formats.ts';
import type { Usage } from '../../../domain/conversation-events.ts';
import { offlineResponse, offlineResponseEvents } from './offline-response.ts';

type Request = Readonly<Partial<Record<'messages' | 'system' | 'input' | 'instructions', unknown>>>;

/** The turns of a request, without its files and tools, which the offline model does not use. */
export function offlinePrompt(request: unknown) {
  const { input, messages = typeof input === 'string' ? [{ content: input }] : input, system, instructions = system } = request as Request;
  const turns = (Array.isArray(messages) ? messages : []).map((message): Turn => {
    const { role, content } = (message ?? {}) as { readonly role?: unknown; readonly content?: unknown };
    return { role: role === 'assistant' ? 'assistant' : 'user', text: textOf(content) };
  });
  return { turns, instruction: textOf(instructions), knowledge: null, parameters: DEFAULT_PARAMETERS, isCached: false };
}

function textOf(content: unknown): string {
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) return '';
  return content
    .map((part) => (typeof (part as { text?: unknown } | null)?.text === 'string' ? (part as { text: string }).text : ''))
    .join('\n');
}

export interface OfflineAnswer {
  readonly id: string;
  /** Epoch seconds. */
  readonly created: number;
  readonly model: string;
  readonly text: string;
  readonly usage: Usage;
}

const chatUsage = ({ inputTokens, outputTokens }: Usage) => ({
  prompt_tokens: inputTokens,
  completion_tokens: outputTokens,
  total_tokens: inputTokens + outputTokens,
});

const wholeOf = {
  openai: ({ id, created, model, text, usage }: OfflineAnswer) => ({
    id: `chatcmpl-${id}`,
    object: 'chat.completion',
    created,
    model,
    choices: [{ index: 0, message: { role: 'assistant', content: text, refusal: null }, finish_reason: 'stop', logprobs: null }],
    usage: chatUsage(usage),
  }),
  anthropic: ({ id, model, text, usage }: OfflineAnswer) => ({
    id: `msg_${id}`,
    type: 'message',
    role: 'assistant',
    model,
    content: [{ type: 'text', text }],
    stop_reason: 'end_turn',
    stop_sequence: null,
    usage: { input_tokens: usage.inputTokens, output_tokens: usage.outputTokens },
  }),
  responses: offlineResponse,
};

const eventsOf = {
  openai(answer: OfflineAnswer, wantsUsage: boolean): string {
    const head = { id: `chatcmpl-${answer.id}`, object: 'chat.completion.chunk', created: answer.created, model: answer.model };
    const chunk = (delta: object, finish_reason: string | null) => ({ ...head, choices: [{ index: 0, delta, finish_reason }] });
    const chunks = [
      chunk({ role: 'assistant', content: answer.text }, null),
      chunk({}, 'stop'),
      ...(wantsUsage ? [{ ...head, choices: [], usage: chatUsage(answer.usage) }] : []),
    ];
    return `${chunks.map((each) => `data: ${JSON.stringify(each)}\n\n`).join('')}data: [DONE]\n\n`;
  },
  anthropic(answer: OfflineAnswer): string {
    const { content: _, ...message } = wholeOf.anthropic(answer);
    const events = [
      { type: 'message_start', message: { ...message, content: [], stop_reason: null } },
      { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
      { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: answer.text } },
      { type: 'content_block_stop', index: 0 },
      { type: 'message_delta', delta: { stop_reason: 'end_turn', stop_sequence: null }, usage: message.usage },
      { type: 'message_stop' },
    ];
    return events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`).join('');
  },
  responses: offlineResponseEvents,
};

/** The body of an answer of the offline model: whole, or as a stream. */
export function offlineBody(format: ChatFormat, answer: OfflineAnswer, isStreamed: boolean, wantsUsage: boolean): string {
  return isStreamed ? eventsOf[format](answer, wantsUsage) : JSON.stringify(wholeOf[format](answer));
}
