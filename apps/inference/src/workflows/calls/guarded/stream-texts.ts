import type { CallFormat } from '../../../adapters/calls/call-formats.ts';
import type { AnswerText } from '../../guardrails/call-guardrails.ts';
import type { ArgumentText } from './argument-text.ts';

export type Event = Record<string, unknown>;
/** Names of fields, and indices of lists. */
export type Path = readonly (string | number)[];

/** A text whose parts come in several events. */
export interface StreamText {
  /** The choice or the block that it belongs to. */
  readonly group: string;
  readonly path: Path;
  /** The type of an event's delta in Anthropic's format. */
  readonly deltaType: unknown;
  readonly checked: AnswerText | ArgumentText;
}

/** Fields of a delta whose texts are whole. */
const WHOLE = new Set(['annotations', 'citations', 'citation']);

/** Whether the text at a path of an event is a part of a longer one. */
export function isPartOfText(format: CallFormat, path: Path, event: Event): boolean {
  if (format === 'anthropic') return event['type'] === 'content_block_delta' && path.length === 2 && path[0] === 'delta';
  return path[0] === 'choices' && path[2] === 'delta' && !WHOLE.has(String(path[3]));
}

/** Whether the event that has a part of a text of OpenAI's format also ends its choice. */
export function isLastOfChoice(path: Path, event: Event): boolean {
  const choices = Array.isArray(event['choices']) ? (event['choices'] as readonly Event[]) : [];
  return choices.some((choice, at) => (choice['index'] ?? at) === path[1] && Boolean(choice['finish_reason']));
}

export const groupOf = (format: CallFormat, path: Path, event: Event): string => String(format === 'anthropic' ? event['index'] : path[1]);

/** An event with the end of a text. `head`: an event of the same stream. */
export function textEvent(format: CallFormat, head: Event, { group, path, deltaType }: StreamText, rest: string): string {
  if (format === 'anthropic') {
    const type = 'content_block_delta';
    const event = { type, index: Number(group), delta: { type: deltaType, [path[1]!]: rest } };
    return `event: ${type}\ndata: ${JSON.stringify(event)}\n\n`;
  }
  const { usage: _, choices: __, ...fields } = head;
  const choice = { index: Number(group), delta: nested(path.slice(3), rest), finish_reason: null };
  return `data: ${JSON.stringify({ ...fields, choices: [choice] })}\n\n`;
}

/** The text at its path, in lists of one item. */
function nested([first, ...others]: Path, text: string): unknown {
  if (first === undefined) return text;
  const value = nested(others, text);
  if (typeof first === 'string') return { [first]: value };
  return [typeof value === 'object' ? { index: first, ...value } : value];
}
