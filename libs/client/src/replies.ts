import type { AcceptedMessage, Message, MessageAnswer, PostMessageBody, ProcessingMessage } from './generated/api.ts';
import { retryAfterIn } from './parlance-error.ts';
import { type PollOptions, pollUntil } from './polling.ts';
import { approvalRequired, ReplyStream, type StreamOptions } from './reply-stream.ts';
import type { Transport } from './transport.ts';
import { filled, newIdempotencyKey } from './typed-api.ts';

export interface SendOptions {
  readonly signal?: AbortSignal | undefined;
  readonly idempotencyKey?: string;
}

/** Messages and their replies, for conversations of users and of published bots. */
export class Replies<Body extends Partial<PostMessageBody>> {
  constructor(protected readonly transport: Transport) {}

  /** Accepts a message. The reply is written afterwards: `wait` for it, or `follow` it. */
  async send(body: Body, { signal, idempotencyKey = newIdempotencyKey() }: SendOptions = {}): Promise<AcceptedMessage> {
    const answer = await this.post(body, { 'idempotency-key': idempotencyKey }, signal);
    return (await answer.json()) as AcceptedMessage;
  }

  /** Sends a message and waits for its reply. */
  async ask(body: Body, options: SendOptions & PollOptions = {}): Promise<MessageAnswer> {
    const { conversation_id, message_id } = await this.send(body, options);
    return this.wait(conversation_id, message_id, options);
  }

  /** Sends a message and streams its reply. */
  stream(body: Body, { idempotencyKey = newIdempotencyKey(), ...options }: SendOptions & StreamOptions = {}): ReplyStream {
    const { signal } = options;
    return new ReplyStream(({ place, lastEventId }) => {
      if (place) return this.openStream(place.conversation_id, place.message_id, lastEventId, signal);
      // Before the first event, repeating the request with the same key returns the same reply.
      return this.post(body, { 'idempotency-key': idempotencyKey, accept: 'text/event-stream' }, signal, true);
    }, options);
  }

  /** Streams a reply from its start, or after an event. */
  follow(conversationId: string, messageId: string, { lastEventId = null, ...options }: FollowOptions = {}): ReplyStream {
    const open = (behind: { readonly lastEventId: string | null }) =>
      this.openStream(conversationId, messageId, behind.lastEventId, options.signal);
    const isAwaiting = async () => {
      const polled = await this.message(conversationId, messageId, options);
      return !polled.isComplete && polled.processing.status === 'awaiting_approval';
    };
    return new ReplyStream(open, options, { conversation_id: conversationId, message_id: messageId }, lastEventId, isAwaiting);
  }

  /** The complete message, or its state so far. */
  async message(conversationId: string, messageId: string, { signal }: { signal?: AbortSignal | undefined } = {}): Promise<PolledMessage> {
    const answer = await this.transport.send({ method: 'GET', path: messagePath(conversationId, messageId), signal });
    if (answer.status === 200) return { isComplete: true, message: (await answer.json()) as MessageAnswer };
    return { isComplete: false, retryAfter: retryAfterIn(answer.headers), processing: (await answer.json()) as ProcessingMessage };
  }

  /**
   * Polls until the reply is complete: its `status` is then `completed`, `failed`, or another end. Pauses grow, and are at least as long as
   * the server asks for. Throws `timed_out`, or `approval_required` if the reply waits for its user.
   */
  async wait(conversationId: string, messageId: string, options: PollOptions = {}): Promise<MessageAnswer> {
    const isOver = (polled: PolledMessage) => polled.isComplete || polled.processing.status === 'awaiting_approval';
    const ask = () => this.message(conversationId, messageId, options);
    const polled = await pollUntil(ask, isOver, options, (each) => (each.isComplete ? null : each.retryAfter));
    if (!polled.isComplete) throw approvalRequired();
    return polled.message;
  }

  private post(body: Body, headers: Record<string, string>, signal: AbortSignal | undefined, streams = false): Promise<Response> {
    return this.transport.send({ method: 'POST', path: '/conversation', body, headers, signal, streams, isRepeatable: true });
  }

  private openStream(
    conversationId: string,
    messageId: string,
    lastEventId: string | null,
    signal: AbortSignal | undefined,
  ): Promise<Response> {
    const headers = { accept: 'text/event-stream', ...(lastEventId !== null && { 'last-event-id': lastEventId }) };
    return this.transport.send({ method: 'GET', path: `${messagePath(conversationId, messageId)}/stream`, headers, signal, streams: true });
  }
}

export interface FollowOptions extends StreamOptions {
  readonly lastEventId?: string | null;
}

export type PolledMessage =
  | { readonly isComplete: true; readonly message: MessageAnswer }
  | { readonly isComplete: false; readonly retryAfter: number | null; readonly processing: ProcessingMessage };

const messagePath = (conversationId: string, messageId: string): string =>
  filled('/conversation/{conversationId}/{messageId}', { conversationId, messageId });

/** The text of a message, without reasoning, files and tool calls. */
export const textOf = ({ content }: Pick<Message, 'content'>): string =>
  content.map((part) => (part.content_type === 'text' ? part.body : '')).join('');
