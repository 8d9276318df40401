import type { StopReason } from '../../chat-model.ts';
import { type Reports, writtenForHour } from '../../providers/usage-of.ts';
import type { AnswerHead, AnswerPart, UsageReport, WholeAnswer, WholeBlock } from './answer-parts.ts';
import { type AnswerBlock, type BlockEvents, OrderedBlocks } from './ordered-blocks.ts';

const STOP: Readonly<Record<StopReason, string>> = {
  end_turn: 'end_turn',
  stop_sequence: 'stop_sequence',
  max_tokens: 'max_tokens',
  content_filtered: 'refusal',
  tool_calls: 'tool_use',
};

type Event = Readonly<{ type: string } & Record<string, unknown>>;

const event = (its: Event): string => `event: ${its.type}\ndata: ${JSON.stringify(its)}\n\n`;

/** Writes an answer as the events of Anthropic's Messages API, whose blocks follow one another. */
export class AnthropicEvents implements BlockEvents {
  private readonly blocks = new OrderedBlocks(this);

  constructor(private readonly head: AnswerHead) {}

  begin(): string {
    const message = { ...messageOf(this.head), content: [], stop_reason: null, stop_sequence: null, usage: NOTHING };
    return event({ type: 'message_start', message });
  }

  part(part: AnswerPart): string {
    return this.blocks.take(part) + (part.type === 'end' ? this.end(part) : '');
  }

  start(index: number, block: AnswerBlock): string {
    return event({ type: 'content_block_start', index, content_block: emptyBlock(block) });
  }

  delta(index: number, { kind }: AnswerBlock, text: string): string {
    return event({ type: 'content_block_delta', index, delta: deltaOf(kind, text) });
  }

  signature(index: number, signature: string): string {
    return event({ type: 'content_block_delta', index, delta: { type: 'signature_delta', signature } });
  }

  stop(index: number): string {
    return event({ type: 'content_block_stop', index });
  }

  private end({ reason, usage }: Extract<AnswerPart, { type: 'end' }>): string {
    const delta = { stop_reason: STOP[reason], stop_sequence: null };
    return event({ type: 'message_delta', delta, usage: usageOf(usage) }) + event({ type: 'message_stop' });
  }
}

function emptyBlock({ kind, id, name }: AnswerBlock): object {
  switch (kind) {
    case 'text':
      return { type: 'text', text: '' };
    case 'reasoning':
      return { type: 'thinking', thinking: '', signature: '' };
    case 'redacted':
      return { type: 'redacted_thinking', data: id };
    case 'call':
      return { type: 'tool_use', id, name, input: {} };
  }
}

function deltaOf(kind: AnswerBlock['kind'], text: string): object {
  if (kind === 'call') return { type: 'input_json_delta', partial_json: text };
  return kind === 'text' ? { type: 'text_delta', text } : { type: 'thinking_delta', thinking: text };
}

/** Writes an answer as Anthropic's message. */
export const anthropicAnswer = (head: AnswerHead, { blocks, end }: WholeAnswer): object => ({
  ...messageOf(head),
  content: blocks.map(blockOf),
  stop_reason: STOP[end.reason],
  stop_sequence: null,
  usage: usageOf(end.usage),
});

const messageOf = ({ id, model }: AnswerHead) => ({ id: `msg_${id}`, type: 'message', role: 'assistant', model });

function blockOf(block: WholeBlock): object {
  switch (block.type) {
    case 'text':
      return block;
    case 'reasoning':
      return { type: 'thinking', thinking: block.text, signature: block.signature };
    case 'redacted':
      return { type: 'redacted_thinking', data: block.data };
    case 'call':
      return { type: 'tool_use', id: block.id, name: block.name, input: inputIn(block.input) };
  }
}

/** Models may write an input that is no JSON. */
function inputIn(text: string): unknown {
  try {
    return JSON.parse(text || '{}');
  } catch {
    return { input: text };
  }
}

const NOTHING = { input_tokens: 0, cache_creation_input_tokens: 0, cache_read_input_tokens: 0, output_tokens: 0 };

/** The SDKs need a usage. One without input counts as none. */
function usageOf({ inputTokens, outputTokens, raw }: UsageReport): object {
  const { total, cacheRead = 0, cacheWrite = 0 } = inputTokens;
  if (total === undefined) return NOTHING;
  const forHour = Math.min(writtenForHour((raw ?? {}) as Reports), cacheWrite);
  return {
    input_tokens: Math.max(0, total - cacheRead - cacheWrite),
    cache_creation_input_tokens: cacheWrite,
    cache_read_input_tokens: cacheRead,
    ...(cacheWrite > 0 && {
      cache_creation: { ephemeral_5m_input_tokens: cacheWrite - forHour, ephemeral_1h_input_tokens: forHour },
    }),
    output_tokens: outputTokens.total ?? 0,
  };
}

/** The error of Anthropic's API. */
export const anthropicError = (message: string): object => ({ type: 'error', error: { type: 'invalid_request_error', message } });
