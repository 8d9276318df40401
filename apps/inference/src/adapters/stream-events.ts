/** How much a reader has received of the output of the worker with this claim: of its text, reasoning, citations and tool calls. */
export interface StreamPosition {
  readonly claim: string;
  readonly reasoning: number;
  readonly text: number;
  readonly citations: number;
  readonly tools: number;
}

export interface StreamEvent {
  readonly id: string;
  readonly event: 'start' | 'restarted' | 'reasoning' | 'delta' | 'tool' | 'approval' | 'citation' | 'done' | 'error';
  readonly data: object;
}

/** An event, and the reader's position after it. */
export interface PositionedEvent {
  readonly at: StreamPosition;
  readonly event: StreamEvent;
}

/** The reply that is followed. Its user is the reader. */
export interface Followed {
  readonly conversationId: string;
  readonly replyId: string;
  readonly userId: string;
}

/** The last number is missing if there are no tool calls, and from replicas of an earlier release. */
const FORM = /^([0-9A-Z]{26})\.(\d{1,9})\.(\d{1,9})\.(\d{1,4})(?:\.(\d{1,4}))?$/;

export const beginningOf = (claim: string): StreamPosition => ({ claim, reasoning: 0, text: 0, citations: 0, tools: 0 });

/** Null for an unknown ID: such a reader gets the stream from its beginning. */
export function positionIn(eventId: string | undefined): StreamPosition | null {
  const [, claim = '', reasoning, text, citations, tools = 0] = FORM.exec(eventId ?? '') ?? [];
  return claim === ''
    ? null
    : { claim, reasoning: Number(reasoning), text: Number(text), citations: Number(citations), tools: Number(tools) };
}

/** Creates an event. Its ID encodes the position after it. */
export function streamEvent(name: StreamEvent['event'], at: StreamPosition, data: object): PositionedEvent {
  return { at, event: { id: idOf(at), event: name, data } };
}

export const idOf = ({ claim, reasoning, text, citations, tools }: StreamPosition): string =>
  `${claim}.${reasoning}.${text}.${citations}${tools === 0 ? '' : `.${tools}`}`;
