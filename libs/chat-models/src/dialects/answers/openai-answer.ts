import type { StopReason } from '../../chat-model.ts';
import type { AnswerHead, AnswerPart, UsageReport, WholeAnswer } from './answer-parts.ts';

const FINISH: Readonly<Record<StopReason, string>> = {
  end_turn: 'stop',
  stop_sequence: 'stop',
  max_tokens: 'length',
  content_filtered: 'content_filter',
  tool_calls: 'tool_calls',
};

/** The end of a stream. */
const DONE = 'data: [DONE]\n\n';

/** Writes an answer as the events of OpenAI's chat completions. */
export class OpenAiEvents {
  private readonly indexes = new Map<string, number>();

  constructor(private readonly head: AnswerHead) {}

  begin(): string {
    return this.delta({ role: 'assistant', content: '', refusal: null });
  }

  part(part: AnswerPart): string {
    switch (part.type) {
      case 'text':
        return this.delta({ content: part.text });
      case 'reasoning':
        return this.delta({ reasoning_content: part.text });
      case 'call': {
        const index = this.indexes.size;
        this.indexes.set(part.id, index);
        return this.delta({ tool_calls: [{ index, id: part.id, type: 'function', function: { name: part.name, arguments: '' } }] });
      }
      case 'input':
        return this.delta({ tool_calls: [{ index: this.indexes.get(part.id) ?? 0, function: { arguments: part.text } }] });
      case 'end':
        return this.end(part);
      default:
        return '';
    }
  }

  /** The event with the usage is left out later for a caller who did not ask for it. */
  private end({ reason, usage }: Extract<AnswerPart, { type: 'end' }>): string {
    const reported = usageOf(usage);
    return this.delta({}, FINISH[reason]) + (reported === null ? '' : this.chunk([], { usage: reported })) + DONE;
  }

  private delta(delta: object, finish_reason: string | null = null): string {
    return this.chunk([{ index: 0, delta, logprobs: null, finish_reason }]);
  }

  private chunk(choices: readonly object[], more: object = {}): string {
    const { id, created, model } = this.head;
    return `data: ${JSON.stringify({ id: `chatcmpl-${id}`, object: 'chat.completion.chunk', created, model, choices, ...more })}\n\n`;
  }
}

/** Writes an answer as OpenAI's chat completion. */
export function openAiAnswer({ id, created, model }: AnswerHead, { blocks, end }: WholeAnswer): object {
  const joined = (type: 'text' | 'reasoning') => blocks.flatMap((block) => (block.type === type ? block.text : [])).join('');
  const [text, reasoning] = [joined('text'), joined('reasoning')];
  const calls = blocks.flatMap((block) =>
    block.type === 'call' ? [{ id: block.id, type: 'function', function: { name: block.name, arguments: block.input || '{}' } }] : [],
  );
  const message = {
    role: 'assistant',
    content: text === '' && calls.length > 0 ? null : text,
    refusal: null,
    ...(reasoning !== '' && { reasoning_content: reasoning }),
    ...(calls.length > 0 && { tool_calls: calls }),
  };
  const usage = usageOf(end.usage);
  return {
    id: `chatcmpl-${id}`,
    object: 'chat.completion',
    created,
    model,
    choices: [{ index: 0, message, logprobs: null, finish_reason: FINISH[end.reason] }],
    ...(usage && { usage }),
  };
}

/** Null if the provider reported none. */
function usageOf({ inputTokens, outputTokens }: UsageReport): object | null {
  const { total: input, cacheRead = 0, cacheWrite = 0 } = inputTokens;
  const { total: output = 0, reasoning } = outputTokens;
  if (input === undefined) return null;
  return {
    prompt_tokens: input,
    completion_tokens: output,
    total_tokens: input + output,
    prompt_tokens_details: { cached_tokens: cacheRead, ...(cacheWrite > 0 && { cache_write_tokens: cacheWrite }) },
    ...(reasoning !== undefined && { completion_tokens_details: { reasoning_tokens: reasoning } }),
  };
}

/** The error of OpenAI's API. */
export const openAiError = (message: string): object => ({ error: { message, type: 'invalid_request_error', param: null, code: null } });
