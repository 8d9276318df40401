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
  /** The first event that had a part of it. */
  readonly begun: Event;
  readonly checked: AnswerText | ArgumentText;
}

/** Fields of a delta whose texts are whole. */
const WHOLE = new Set(['annotations', 'citations', 'citation']);

/** The fields of a response that the model has written. The others repeat the request. */
const OF_MODEL = new Set(['output', 'output_text']);
export const isOfModel = (field: string): boolean => OF_MODEL.has(field);

const LAST = new Set(['response.completed', 'response.incomplete', 'response.failed', 'transcript.text.done']);

/** Whether events say by their types what is a part of a text, what its end, and what the whole. */
export const hasTypedEvents = (format: CallFormat): boolean => format === 'responses' || format === 'transcription';

const typeOf = ({ type }: Event): string => (typeof type === 'string' ? type : '');

/** Whether the text at a path of an event is a part of a longer one. */
export function isPartOfText(format: CallFormat, path: Path, event: Event): boolean {
  if (format === 'anthropic') return event['type'] === 'content_block_delta' && path.length === 2 && path[0] === 'delta';
  if (hasTypedEvents(format)) return path.length === 1 && path[0] === 'delta' && typeOf(event).endsWith('.delta');
  return path[0] === 'choices' && path[2] === 'delta' && !WHOLE.has(String(path[3]));
}

/** Whether the event that has a part of a text of OpenAI's format also ends its choice. */
export function isLastOfChoice(path: Path, event: Event): boolean {
  const choices = Array.isArray(event['choices']) ? (event['choices'] as readonly Event[]) : [];
  return choices.some((choice, at) => (choice['index'] ?? at) === path[1] && Boolean(choice['finish_reason']));
}

export function groupOf(format: CallFormat, path: Path, event: Event): string {
  if (hasTypedEvents(format)) return `${itemOf(event)}${String(event['content_index'] ?? event['summary_index'] ?? '')}`;
  return String(format === 'anthropic' ? event['index'] : path[1]);
}

/** The beginning of the groups of an output item. */
const itemOf = ({ item, item_id, output_index }: Event): string =>
  `${String(item_id ?? (item as Event | undefined)?.['id'] ?? output_index)}/`;

/** Whether an event has the whole answer. */
export const isLastOfResponse = (event: Event): boolean => LAST.has(typeOf(event));

/** Which groups an event with a type ends. Null if it ends none. */
export function endedGroups(event: Event): ((group: string) => boolean) | null {
  if (isLastOfResponse(event)) return () => true;
  if (event['type'] === 'response.output_item.done') return (group) => group.startsWith(itemOf(event));
  if (!typeOf(event).endsWith('.done')) return null;
  const ended = groupOf('responses', [], event);
  return (group) => group === ended;
}

/** Whether the parts of a text in events of Responses are JSON. */
export const hasArguments = (event: Event): boolean => typeOf(event).includes('arguments');

/** An event with the end of a text. `head`: an event of the same stream. */
export function textEvent(format: CallFormat, head: Event, { group, path, begun }: StreamText, rest: string): string {
  if (hasTypedEvents(format)) {
    const { logprobs: _, ...fields } = begun;
    const event = { ...fields, sequence_number: head['sequence_number'] ?? fields['sequence_number'], delta: rest };
    return `event: ${typeOf(begun)}\ndata: ${JSON.stringify(event)}\n\n`;
  }
  if (format === 'anthropic') {
    const type = 'content_block_delta';
    const event = { type, index: Number(group), delta: { type: (begun['delta'] as Event)['type'], [path[1]!]: rest } };
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
