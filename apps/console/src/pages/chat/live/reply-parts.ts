import type { ContentPart, Message } from '@parlance/client/types';

export type CallStatus = 'awaiting' | 'running' | 'succeeded' | 'failed' | 'denied';

export interface ToolCall {
  readonly kind: 'tool';
  readonly callId: string;
  readonly name: string;
  readonly input: Readonly<Record<string, unknown>>;
  readonly status: CallStatus;
  readonly result: string | null;
  /** The deadline of the user's decision, in epoch seconds. */
  readonly expiresAt: number | null;
}

/** A part of a reply. Running and stored replies have the same parts. */
export type ReplyPart = { readonly kind: 'text' | 'reasoning'; readonly text: string } | ToolCall;

export function withText(parts: readonly ReplyPart[], kind: 'text' | 'reasoning', text: string): readonly ReplyPart[] {
  const last = parts.at(-1);
  if (last?.kind !== kind) return [...parts, { kind, text }];
  return [...parts.slice(0, -1), { kind, text: last.text + text }];
}

/** Later events of a call replace earlier ones with the same ID. */
export function withCall(parts: readonly ReplyPart[], call: ToolCall): readonly ReplyPart[] {
  const isKnown = parts.some((part) => part.kind === 'tool' && part.callId === call.callId);
  return isKnown ? parts.map((part) => (part.kind === 'tool' && part.callId === call.callId ? call : part)) : [...parts, call];
}

export function partsOf({ content }: Pick<Message, 'content'>): readonly ReplyPart[] {
  return content.reduce(added, [] as readonly ReplyPart[]);
}

function added(parts: readonly ReplyPart[], part: ContentPart): readonly ReplyPart[] {
  switch (part.content_type) {
    case 'text':
    case 'reasoning':
      return withText(parts, part.content_type, part.body);
    case 'tool_use': {
      const { tool_use_id: callId, name, input } = part.body;
      return withCall(parts, { kind: 'tool', callId, name, input, status: 'running', result: null, expiresAt: null });
    }
    case 'tool_result': {
      const { tool_use_id: callId, name, status, content: result } = part.body;
      const call = parts.find((each): each is ToolCall => each.kind === 'tool' && each.callId === callId);
      return withCall(parts, { kind: 'tool', callId, name, input: call?.input ?? {}, status, result, expiresAt: null });
    }
    default:
      return parts;
  }
}

/** Only the text, for copying. */
export const writtenText = (parts: readonly ReplyPart[]): string =>
  parts.flatMap((part) => (part.kind === 'text' ? [part.text] : [])).join('\n\n');
