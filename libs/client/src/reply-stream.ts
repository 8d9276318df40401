import { ParlanceError } from './parlance-error.ts';
import type { ReplyEvent, ReplyEventData, StreamedReply } from './reply-events.ts';
import { time, withJitter } from './retries.ts';
import { serverSentEvents } from './server-sent-events.ts';

export interface Place {
  readonly conversation_id: string;
  readonly message_id: string;
}

export interface StreamOptions {
  readonly signal?: AbortSignal | undefined;
  /** The number of connections in a row that may break without an event. Default 8. */
  readonly maxBreaks?: number;
  /** A connection that is silent for this long counts as broken. Default 45,000. */
  readonly idleMillis?: number;
}

/** Opens the stream from its start, or after an event of the reply at this location. */
export type OpenStream = (behind: { readonly place: Place | null; readonly lastEventId: string | null }) => Promise<Response>;

const MAX_BREAKS = 8;
const FIRST_PAUSE_MILLIS = 200;
const LONGEST_PAUSE_MILLIS = 5_000;

/**
 * The events of a reply. When a connection breaks, the stream resumes after the last event: none is lost, and none is delivered twice. It
 * ends after `done`, `error`, or a final `approval`. It can be read only once.
 */
export class ReplyStream implements AsyncIterable<ReplyEvent> {
  constructor(
    private readonly open: OpenStream,
    private readonly options: StreamOptions = {},
    private readonly known: Place | null = null,
    private readonly after: string | null = null,
    /** Whether the reply waits for its user. Called when a connection ends without an event. */
    private readonly isAwaiting: () => Promise<boolean> = async () => false,
  ) {}

  async *[Symbol.asyncIterator](): AsyncGenerator<ReplyEvent, void, undefined> {
    const { signal, maxBreaks = MAX_BREAKS, idleMillis } = this.options;
    let place = this.known;
    let lastEventId = this.after;
    let last: string | null = null;
    for (let breaks = 1; ; breaks++) {
      let cause: unknown;
      let isEmpty = true;
      try {
        const { body } = await this.open({ place, lastEventId });
        for await (const each of serverSentEvents(body!, { signal, idleMillis })) {
          const event = { ...each, data: JSON.parse(each.data) as unknown } as ReplyEvent;
          if (event.event === 'start') place = event.data;
          lastEventId = event.id;
          last = event.event;
          breaks = 0;
          isEmpty = false;
          yield event;
          if (event.event === 'done' || event.event === 'error') return;
        }
        // A stream opened after an approval event does not repeat it.
        if (isEmpty && last === null && (await this.isAwaiting())) return;
      } catch (error) {
        signal?.throwIfAborted();
        // A refusal is final. So is an outage before the reply has started, because the transport has already retried.
        if (error instanceof ParlanceError && ((error.status > 0 && error.status < 500) || place === null)) throw error;
        cause = error;
      }
      if (last === 'approval' && cause === undefined) return;
      if (breaks >= maxBreaks) throw new ParlanceError('stream_broken', 'The stream of the reply broke too often.', { cause });
      await time.pause(withJitter(Math.min(FIRST_PAUSE_MILLIS * 2 ** breaks, LONGEST_PAUSE_MILLIS)), signal);
    }
  }

  /** The text as it grows, piece by piece. Throws ParlanceError if the reply fails or starts over. */
  async *text(): AsyncGenerator<string, void, undefined> {
    let hasText = false;
    for await (const { event, data } of this) {
      if ((event === 'start' || event === 'restarted') && hasText)
        throw new ParlanceError('reply_restarted', 'The reply started over. Read its events to handle that.');
      if (event === 'delta') {
        hasText = true;
        yield data.text;
      } else if (event === 'error') throw new ParlanceError(data.code, data.message);
    }
  }

  /** Reads the stream to its end. Throws ParlanceError if the reply fails or waits for approval (`approval_required`). */
  async finished(): Promise<StreamedReply> {
    let place: Place | null = this.known;
    let [text, reasoning, citations] = ['', '', [] as ReplyEventData['citation'][]];
    for await (const { event, data } of this) {
      if (event === 'start') place = data;
      if (event === 'start' || event === 'restarted') [text, reasoning, citations] = ['', '', []];
      else if (event === 'delta') text += data.text;
      else if (event === 'reasoning') reasoning += data.text;
      else if (event === 'citation') citations.push(data);
      else if (event === 'error') throw new ParlanceError(data.code, data.message);
      else if (event === 'done') {
        const { message_id: messageId, stop_reason: stopReason, usage, cost } = data;
        return { conversationId: place?.conversation_id ?? '', messageId, text, reasoning, citations, stopReason, usage, cost };
      }
    }
    throw approvalRequired();
  }
}

export const approvalRequired = () =>
  new ParlanceError('approval_required', 'The reply waits for a decision about a tool call. Decide, then continue.');
