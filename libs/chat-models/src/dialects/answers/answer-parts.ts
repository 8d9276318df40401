import type { StopReason } from '../../chat-model.ts';
import { GenerationFailed } from '../../providers/generation-failed.ts';
import { type Finish, type Part, stopReasonOf } from '../../providers/provider-model.ts';

/** Which answer is written. */
export interface AnswerHead {
  readonly id: string;
  /** The provider's name of the model. */
  readonly model: string;
  /** Epoch seconds. */
  readonly created: number;
}

export type UsageReport = Finish['usage'];

/** An answer in the form of the AI SDK, reduced to what each API can express. */
export type AnswerPart =
  | { readonly type: 'text' | 'reasoning'; readonly text: string }
  /** Signs the reasoning before it. */
  | { readonly type: 'signature'; readonly signature: string }
  | { readonly type: 'redacted'; readonly data: string }
  | { readonly type: 'call'; readonly id: string; readonly name: string }
  | { readonly type: 'input'; readonly id: string; readonly text: string }
  | { readonly type: 'call-end'; readonly id: string }
  | { readonly type: 'end'; readonly reason: StopReason; readonly usage: UsageReport };

/** Texts, blocks of reasoning and calls of tools in an answer. Each part of a call looks for it among the others. */
export const MOST_BLOCKS = 5_000;

const BEGINS: ReadonlySet<AnswerPart['type']> = new Set(['text', 'reasoning', 'redacted', 'call']);

/** Reduces the parts of an answer. */
export class AnswerParts {
  /** The input of each call that has been passed on. */
  private readonly calls = new Map<string, string>();
  private blocks = 0;
  private last: AnswerPart['type'] | null = null;

  /** Throws `GenerationFailed`, or the error in a part. */
  of(part: Part): readonly AnswerPart[] {
    const parts = this.reduced(part);
    for (const { type } of parts) this.count(type);
    return parts;
  }

  private count(type: AnswerPart['type']): void {
    const isContinued = type === this.last && (type === 'text' || type === 'reasoning');
    if (!isContinued && BEGINS.has(type) && ++this.blocks > MOST_BLOCKS) throw new GenerationFailed('answer_invalid');
    this.last = type;
  }

  private reduced(part: Part): readonly AnswerPart[] {
    switch (part.type) {
      case 'text-delta':
        return part.delta === '' ? [] : [{ type: 'text', text: part.delta }];
      case 'reasoning-start':
      case 'reasoning-delta':
      case 'reasoning-end':
        return reasoningIn(part);
      case 'tool-input-start':
        return this.begin(part.id, part.toolName);
      case 'tool-input-delta':
        this.calls.set(part.id, (this.calls.get(part.id) ?? '') + part.delta);
        return part.delta === '' ? [] : [{ type: 'input', id: part.id, text: part.delta }];
      case 'tool-call':
        return this.end(part);
      case 'finish':
        return [this.finished(part)];
      case 'error':
        throw part.error;
      default:
        return [];
    }
  }

  private begin(id: string, name: string): readonly AnswerPart[] {
    if (this.calls.has(id)) return [];
    this.calls.set(id, '');
    return [{ type: 'call', id, name }];
  }

  /** The SDK repeats a call as a whole when it is complete. */
  private end({ toolCallId: id, toolName, input }: Extract<Part, { type: 'tool-call' }>): readonly AnswerPart[] {
    const begun = this.begin(id, toolName);
    const passed = this.calls.get(id) ?? '';
    const rest = input.startsWith(passed) ? input.slice(passed.length) : '';
    this.calls.set(id, passed + rest);
    return [...begun, ...(rest === '' ? [] : [{ type: 'input', id, text: rest } as const]), { type: 'call-end', id }];
  }

  private finished({ finishReason, usage }: Finish): AnswerPart {
    const reason = stopReasonOf(finishReason, this.calls.size > 0);
    if (reason === null) throw new GenerationFailed('stream_broken');
    return { type: 'end', reason, usage };
  }
}

function reasoningIn(part: Extract<Part, { type: `reasoning-${'start' | 'delta' | 'end'}` }>): readonly AnswerPart[] {
  const text = part.type === 'reasoning-delta' ? part.delta : '';
  const { signature, redactedData } = part.providerMetadata?.['amazonBedrock'] ?? part.providerMetadata?.['anthropic'] ?? {};
  return [
    ...(text === '' ? [] : [{ type: 'reasoning', text } as const]),
    ...(typeof signature === 'string' ? [{ type: 'signature', signature } as const] : []),
    ...(typeof redactedData === 'string' ? [{ type: 'redacted', data: redactedData } as const] : []),
  ];
}

/** An answer as a whole. */
export interface WholeAnswer {
  readonly blocks: readonly WholeBlock[];
  readonly end: Extract<AnswerPart, { type: 'end' }>;
}

export type WholeBlock =
  | { type: 'text'; text: string }
  | { type: 'reasoning'; text: string; signature: string }
  | { type: 'redacted'; data: string }
  | { type: 'call'; id: string; name: string; input: string };

/** Characters of an answer that is collected. It is kept until it is complete. */
export const LONGEST_WHOLE = 4 * 1024 * 1024;

/** Collects an answer. */
export class CollectedParts {
  private readonly blocks: WholeBlock[] = [];
  private length = 0;

  /** Throws `GenerationFailed` for an answer that is too long. */
  add(part: AnswerPart): void {
    const last = this.blocks.at(-1);
    switch (part.type) {
      case 'text':
        this.count(part.text);
        if (last?.type === 'text') last.text += part.text;
        else this.blocks.push({ type: 'text', text: part.text });
        return;
      case 'reasoning':
        this.count(part.text);
        if (last?.type === 'reasoning' && last.signature === '') last.text += part.text;
        else this.blocks.push({ type: 'reasoning', text: part.text, signature: '' });
        return;
      case 'signature':
        if (last?.type === 'reasoning') last.signature = part.signature;
        return;
      case 'redacted':
        this.count(part.data);
        this.blocks.push(part);
        return;
      case 'call':
        this.blocks.push({ ...part, input: '' });
        return;
      case 'input': {
        this.count(part.text);
        const call = this.blocks.find((block) => block.type === 'call' && block.id === part.id);
        if (call?.type === 'call') call.input += part.text;
      }
    }
  }

  /** What the model has written so far. */
  get produced(): string {
    return this.blocks
      .map((block) => (block.type === 'call' ? block.name + block.input : block.type === 'redacted' ? '' : block.text))
      .join('');
  }

  whole(end: WholeAnswer['end']): WholeAnswer {
    return { blocks: this.blocks, end };
  }

  private count({ length }: string): void {
    this.length += length;
    if (this.length > LONGEST_WHOLE) throw new GenerationFailed('answer_invalid');
  }
}
