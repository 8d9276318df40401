import type { StopReason } from '../chat-model.ts';
import { type Reports, writtenForHour } from '../providers/usage-of.ts';
import type { AnswerHead, AnswerPart, UsageReport, WholeAnswer, WholeBlock } from './answer-parts.ts';

const STOP: Readonly<Record<StopReason, string>> = {
  end_turn: 'end_turn',
  stop_sequence: 'stop_sequence',
  max_tokens: 'max_tokens',
  content_filtered: 'refusal',
  tool_calls: 'tool_use',
};

type Event = Readonly<{ type: string } & Record<string, unknown>>;

const event = (its: Event): string => `event: ${its.type}\ndata: ${JSON.stringify(its)}\n\n`;

/** A block that waits for the blocks before it. */
interface WaitingBlock {
  readonly key: string;
  readonly content: Event;
  deltas: Event[];
  hasEnded: boolean;
}

/**
 * Writes an answer as the events of Anthropic's Messages API. Its blocks follow one another, so the parts of parallel calls that arrive mixed are
 * held back until the calls before them are complete.
 */
export class AnthropicEvents {
  /** The first one is open. */
  private readonly blocks: WaitingBlock[] = [];
  private isOpen = false;
  private index = 0;

  constructor(private readonly head: AnswerHead) {}

  begin(): string {
    const message = { ...messageOf(this.head), content: [], stop_reason: null, stop_sequence: null, usage: NOTHING };
    return event({ type: 'message_start', message });
  }

  part(part: AnswerPart): string {
    switch (part.type) {
      case 'text':
        this.continued('text', { type: 'text', text: '' }).deltas.push({ type: 'text_delta', text: part.text });
        break;
      case 'reasoning':
        this.continued('thinking', { type: 'thinking', thinking: '', signature: '' }).deltas.push({
          type: 'thinking_delta',
          thinking: part.text,
        });
        break;
      case 'signature': {
        const last = this.blocks.at(-1);
        if (last?.key !== 'thinking') break;
        last.deltas.push({ type: 'signature_delta', signature: part.signature });
        last.hasEnded = true;
        break;
      }
      case 'redacted':
        this.add('redacted', { type: 'redacted_thinking', data: part.data }).hasEnded = true;
        break;
      case 'call':
        this.add(part.id, { type: 'tool_use', id: part.id, name: part.name, input: {} });
        break;
      case 'input':
        this.find(part.id)?.deltas.push({ type: 'input_json_delta', partial_json: part.text });
        break;
      case 'call-end': {
        const call = this.find(part.id);
        if (call) call.hasEnded = true;
        break;
      }
      case 'end':
        for (const block of this.blocks) block.hasEnded = true;
        return this.written() + this.end(part);
    }
    return this.written();
  }

  private end({ reason, usage }: Extract<AnswerPart, { type: 'end' }>): string {
    const delta = { stop_reason: STOP[reason], stop_sequence: null };
    return event({ type: 'message_delta', delta, usage: usageOf(usage) }) + event({ type: 'message_stop' });
  }

  /** The last block if it has this key and has not ended, otherwise another one. */
  private continued(key: string, content: Event): WaitingBlock {
    const last = this.blocks.at(-1);
    return last?.key === key && !last.hasEnded ? last : this.add(key, content);
  }

  private add(key: string, content: Event): WaitingBlock {
    const last = this.blocks.at(-1);
    // A call ends when it is complete, which may be later.
    if (last && (last.key === 'text' || last.key === 'thinking')) last.hasEnded = true;
    const block: WaitingBlock = { key, content, deltas: [], hasEnded: false };
    this.blocks.push(block);
    return block;
  }

  private find(id: string): WaitingBlock | undefined {
    return this.blocks.find(({ key, content }) => key === id && content.type === 'tool_use');
  }

  private written(): string {
    let text = '';
    for (let block = this.blocks[0]; block; block = this.blocks[0]) {
      const { index } = this;
      if (!this.isOpen) text += event({ type: 'content_block_start', index, content_block: block.content });
      this.isOpen = true;
      for (const delta of block.deltas.splice(0)) text += event({ type: 'content_block_delta', index, delta });
      if (!block.hasEnded) break;
      text += event({ type: 'content_block_stop', index });
      this.blocks.shift();
      this.isOpen = false;
      this.index++;
    }
    return text;
  }
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
