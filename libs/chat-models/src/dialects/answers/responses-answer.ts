import { type AnswerHead, type AnswerPart, CollectedParts, type UsageReport, type WholeAnswer } from './answer-parts.ts';
import { type AnswerBlock, type BlockEvents, OrderedBlocks } from './ordered-blocks.ts';

type Status = 'in_progress' | 'completed';

/** Why a response is incomplete, by the reason of its end. */
const INCOMPLETE: Readonly<Record<string, string>> = { max_tokens: 'max_output_tokens', content_filtered: 'content_filter' };

/** Writes an answer as the events of OpenAI's Responses. */
export class ResponseEvents implements BlockEvents {
  private readonly blocks = new OrderedBlocks(this);
  /** The last event has the whole answer. */
  private readonly collected = new CollectedParts();
  private sequence = 0;

  constructor(private readonly head: AnswerHead) {}

  begin(): string {
    const response = responseOf(this.head);
    return this.event('response.created', { response }) + this.event('response.in_progress', { response });
  }

  part(part: AnswerPart): string {
    this.collected.add(part);
    return this.blocks.take(part) + (part.type === 'end' ? this.end(part) : '');
  }

  start(output_index: number, block: AnswerBlock): string {
    const item = itemOf(this.head.id, output_index, { ...block, text: '' }, 'in_progress');
    const added = this.event('response.output_item.added', { output_index, item });
    if (block.kind === 'text')
      return added + this.event('response.content_part.added', { ...this.partAt(output_index, block), part: textPart('') });
    if (block.kind === 'reasoning')
      return added + this.event('response.reasoning_summary_part.added', { ...this.partAt(output_index, block), part: summaryPart('') });
    return added;
  }

  delta(output_index: number, block: AnswerBlock, delta: string): string {
    const logprobs = block.kind === 'text' ? { logprobs: [] } : {};
    return this.event(`${EVENTS[block.kind]}.delta`, { ...this.partAt(output_index, block), delta, ...logprobs });
  }

  signature(): string {
    return '';
  }

  stop(output_index: number, block: AnswerBlock): string {
    const item = itemOf(this.head.id, output_index, block, 'completed');
    const at = this.partAt(output_index, block);
    const { kind, text } = block;
    const before = {
      text: () => [
        this.event('response.output_text.done', { ...at, text, logprobs: [] }),
        this.event('response.content_part.done', { ...at, part: textPart(text) }),
      ],
      reasoning: () => [
        this.event('response.reasoning_summary_text.done', { ...at, text }),
        this.event('response.reasoning_summary_part.done', { ...at, part: summaryPart(text) }),
      ],
      redacted: () => [],
      call: () => [this.event('response.function_call_arguments.done', { ...at, name: block.name, arguments: text || '{}' })],
    }[kind]();
    return before.join('') + this.event('response.output_item.done', { output_index, item });
  }

  private partAt(output_index: number, { kind }: AnswerBlock): object {
    const index = kind === 'text' ? { content_index: 0 } : kind === 'reasoning' ? { summary_index: 0 } : {};
    return { item_id: itemId(this.head.id, output_index, kind), output_index, ...index };
  }

  private end(end: Extract<AnswerPart, { type: 'end' }>): string {
    const type = end.reason in INCOMPLETE ? 'response.incomplete' : 'response.completed';
    return this.event(type, { response: responsesAnswer(this.head, this.collected.whole(end)) });
  }

  private event(type: string, more: object): string {
    return `event: ${type}\ndata: ${JSON.stringify({ type, sequence_number: this.sequence++, ...more })}\n\n`;
  }
}

const EVENTS = {
  text: 'response.output_text',
  reasoning: 'response.reasoning_summary_text',
  redacted: 'response.reasoning_summary_text',
  call: 'response.function_call_arguments',
} as const;

/** Writes an answer as a response of OpenAI. */
export function responsesAnswer(head: AnswerHead, { blocks, end }: WholeAnswer): object {
  const output = blocks.map((block, index) => {
    const { type: kind } = block;
    const text = kind === 'call' ? block.input : kind === 'redacted' ? '' : block.text;
    const [id, name] = kind === 'call' ? [block.id, block.name] : ['', ''];
    return itemOf(head.id, index, { kind, id, name, text }, 'completed');
  });
  const reason = INCOMPLETE[end.reason];
  const incomplete = reason === undefined ? {} : { status: 'incomplete', incomplete_details: { reason } };
  return { ...responseOf(head), status: 'completed', ...incomplete, output, usage: usageOf(end.usage) };
}

/** A response that has begun. */
export const responseOf = ({ id, created, model }: AnswerHead) => ({
  id: `resp_${id}`,
  object: 'response',
  created_at: created,
  status: 'in_progress',
  error: null,
  incomplete_details: null,
  instructions: null,
  metadata: {},
  model,
  output: [] as readonly object[],
  parallel_tool_calls: true,
  previous_response_id: null,
  store: false,
  temperature: null,
  tool_choice: 'auto',
  tools: [],
  top_p: null,
  usage: null as object | null,
});

const PREFIXES = { text: 'msg', reasoning: 'rs', redacted: 'rs', call: 'fc' } as const;
const itemId = (id: string, index: number, kind: AnswerBlock['kind']): string => `${PREFIXES[kind]}_${id}_${index}`;
const textPart = (text: string) => ({ type: 'output_text', text, annotations: [], logprobs: [] });
const summaryPart = (text: string) => ({ type: 'summary_text', text });

function itemOf(answerId: string, index: number, { kind, id: call_id, name, text }: AnswerBlock, status: Status): object {
  const id = itemId(answerId, index, kind);
  switch (kind) {
    case 'text':
      return { id, type: 'message', role: 'assistant', status, content: status === 'completed' ? [textPart(text)] : [] };
    case 'reasoning':
      return { id, type: 'reasoning', summary: status === 'completed' ? [summaryPart(text)] : [] };
    // Its text is not shown.
    case 'redacted':
      return { id, type: 'reasoning', summary: [] };
    case 'call':
      return { id, type: 'function_call', status, call_id, name, arguments: status === 'completed' ? text || '{}' : '' };
  }
}

/** Null if the provider reported none. */
function usageOf({ inputTokens, outputTokens }: UsageReport): object | null {
  const { total: input_tokens, cacheRead = 0, cacheWrite = 0 } = inputTokens;
  const { total: output_tokens = 0, reasoning = 0 } = outputTokens;
  if (input_tokens === undefined) return null;
  return {
    input_tokens,
    input_tokens_details: { cached_tokens: cacheRead, ...(cacheWrite > 0 && { cache_write_tokens: cacheWrite }) },
    output_tokens,
    output_tokens_details: { reasoning_tokens: reasoning },
    total_tokens: input_tokens + output_tokens,
  };
}
