import { Controller, Get, Headers, HttpCode, Post, Res } from '@nestjs/common';
import { EventStreams } from '@parlance/foundation';
import { Caller, IdParam, Internal } from '@parlance/http';
import type { FastifyReply } from 'fastify';
import { HEARTBEAT_HEADER, REPLICA_HEARTBEAT_MILLIS } from '../adapters/other-replicas.ts';
import { LiveReplies } from '../workflows/live-replies.ts';
import { type Followed, positionIn, type StreamEvent } from '../adapters/stream-events.ts';
import { FollowReply } from './streams/follow-reply.ts';

/** Used by other replicas of this service, on behalf of a reply's user. */
@Internal()
@Controller('internal/replies/:conversationId/:replyId')
export class InternalRepliesController {
  constructor(
    private readonly follow: FollowReply,
    private readonly streams: EventStreams,
    private readonly live: LiveReplies,
  ) {}

  /** Streams the reply while this process writes it. The stream ends without an event: the end of the reply is in the read model. */
  @Get('stream')
  async stream(
    @Caller() caller: Caller,
    @IdParam('conversationId') conversationId: string,
    @IdParam('replyId') replyId: string,
    @Headers('last-event-id') lastEventId: string | undefined,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const followed = { conversationId, replyId, userId: caller.userId };
    void reply.header(HEARTBEAT_HEADER, String(REPLICA_HEARTBEAT_MILLIS));
    await this.streams.send(reply, (reader) => this.produced(followed, lastEventId, reader), REPLICA_HEARTBEAT_MILLIS);
  }

  @Post('cancel')
  @HttpCode(204)
  cancel(@Caller() caller: Caller, @IdParam('replyId') replyId: string): void {
    const live = this.live.of(replyId);
    if (live?.userId === caller.userId) live.stop('cancelled');
  }

  private async *produced(followed: Followed, lastEventId: string | undefined, reader: AbortSignal): AsyncGenerator<StreamEvent> {
    for await (const { event } of this.follow.here(followed, positionIn(lastEventId), reader)) yield event;
  }
}
