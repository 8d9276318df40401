/** How much of a reply a reader has: of the text that the worker with this claim has written, of its reasoning, and of its calls of tools. */
export interface StreamPosition {
  readonly claim: string;
  readonly reasoning: number;
  readonly text: number;
  readonly citations: number;
  readonly tools: number;
}

export interface StreamEvent {
  readonly id: string;
  readonly event: 'start' | 'reasoning' | 'delta' | 'tool' | 'approval' | 'citation' | 'done' | 'error';
  readonly data: object;
}

/** An event with the position behind it. */
export interface Told {
  readonly at: StreamPosition;
  readonly told: StreamEvent;
}

/** The reply that is followed. Its user is the reader. */
export interface Followed {
  readonly conversationId: string;
  readonly replyId: string;
  readonly userId: string;
}

/** The last number is left out without calls of tools, and by replicas of an older release. */
const FORM = /^([0-9A-Z]{26})\.(\d{1,9})\.(\d{1,9})\.(\d{1,4})(?:\.(\d{1,4}))?$/;

export const beginningOf = (claim: string): StreamPosition => ({ claim, reasoning: 0, text: 0, citations: 0, tools: 0 });

/** Null for an ID that is none of ours: such a reader gets the stream from its beginning. */
export function positionIn(eventId: string | undefined): StreamPosition | null {
  const [, claim = '', reasoning, text, citations, tools = 0] = FORM.exec(eventId ?? '') ?? [];
  return claim === ''
    ? null
    : { claim, reasoning: Number(reasoning), text: Number(text), citations: Number(citations), tools: Number(tools) };
}

/** The ID of an event is the position behind it. */
export function told(event: StreamEvent['event'], at: StreamPosition, data: object): Told {
  return { at, told: { id: idOf(at), event, data } };
}

export const idOf = ({ claim, reasoning, text, citations, tools }: StreamPosition): string =>
  `${claim}.${reasoning}.${text}.${citations}${tools === 0 ? '' : `.${tools}`}`;
