import { Injectable } from '@nestjs/common';
import { EventStreams } from '@parlance/foundation';
import { type Caller, CONTINUE_AT_HEADER, CONTINUES_HEADER } from '@parlance/http';
import type { FastifyReply } from 'fastify';
import type { Followed, StreamPosition } from '../../adapters/stream-events.ts';
import type { MessageInConversation } from '../../projections/messages/message-by-id.ts';
import type { AcceptedAnswer, MessageAnswer, ProcessingAnswer } from '../answers.ts';
import { OpenedMessages } from '../opened-messages.ts';
import { acceptsEvents, waitIn } from './preferences.ts';
import type { AcceptedReply } from './reply-acceptance.ts';
import { FollowReply } from '../streams/follow-reply.ts';

/** A sentence for the user, in the answer to a message that exceeds a soft budget. */
export const BUDGET_WARNING_HEADER = 'x-parlance-budget-warning';

/** Less than the time limit of answers, which counts from the beginning of the request. */
const LONGEST_ANSWER_MILLIS = 29_000;

/** Answers requests for replies, and for messages that may still be written. */
@Injectable()
export class ReplyAnswers {
  constructor(
    private readonly opened: OpenedMessages,
    private readonly follow: FollowReply,
    private readonly streams: EventStreams,
  ) {}

  /** Answers after a reply was accepted. With `Accept: text/event-stream` sends the events of the reply, with `Prefer: wait` the finished message if it is ready in time, otherwise 202. */
  async send(reply: FastifyReply, { userId }: Caller, { conversationId, replyId, budgetWarning }: AcceptedReply): Promise<void> {
    const { headers } = reply.request;
    if (budgetWarning !== null) void reply.header(BUDGET_WARNING_HEADER, budgetWarning);
    const followed = { conversationId, replyId, userId };
    if (acceptsEvents(headers.accept)) return this.stream(reply, followed, null);
    const seconds = waitIn([headers['prefer'] ?? []].flat().join(', '));
    if (seconds !== null) {
      void reply.header('preference-applied', `wait=${seconds}`);
      const ended = await this.follow.end(followed, Math.min(seconds * 1_000, LONGEST_ANSWER_MILLIS - reply.elapsedTime));
      if (ended?.message.status === 'awaiting_approval') {
        const waiting = { status: 'awaiting_approval', tool_calls: await this.opened.pending(ended.message) } as const;
        return void reply.status(202).send({ conversation_id: conversationId, message_id: replyId, ...waiting } satisfies AcceptedAnswer);
      }
      if (ended) return void reply.status(200).send(await this.opened.answer(ended));
    }
    void reply.status(202).send({ conversation_id: conversationId, message_id: replyId } satisfies AcceptedAnswer);
  }

  /** Sends the events of a reply after a position. An edge that asked for it gets the path at which another replica sends the rest. */
  stream(reply: FastifyReply, followed: Followed, after: StreamPosition | null): Promise<void> {
    const { headers, url } = reply.request;
    const [route] = /^.*?\/conversation(?=[/?]|$)/.exec(url) ?? [];
    if (headers[CONTINUES_HEADER] !== undefined && route !== undefined)
      void reply.header(CONTINUE_AT_HEADER, `${route}/${followed.conversationId}/${followed.replyId}/stream`);
    return this.streams.send(reply, (reader) => this.follow.events(followed, after, reader));
  }

  /** Answers 202 with `Retry-After` for a reply that is not finished. */
  async message(reply: FastifyReply, found: MessageInConversation): Promise<MessageAnswer | ProcessingAnswer> {
    const { status } = found.message;
    if (status === 'processing') {
      void reply.status(202).header('retry-after', '1');
      return { status };
    }
    if (status === 'awaiting_approval') {
      void reply.status(202).header('retry-after', '5');
      return { status, tool_calls: await this.opened.pending(found.message) };
    }
    return this.opened.answer(found);
  }
}
