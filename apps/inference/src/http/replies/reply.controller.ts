import { Body, Controller, Get, Headers, HttpCode, Post, Res } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { Answers, Refuses, Summary } from '@parlance/openapi';
import { Caller, IdParam, SignedIn } from '@parlance/http';
import { IsBoolean } from 'class-validator';
import { Refusal } from '@parlance/decider';
import { Clock } from '@parlance/foundation';
import type { FastifyReply } from 'fastify';
import { OtherReplicas } from '../../adapters/other-replicas.ts';
import { ExecuteConversation } from '../../commands/aggregates.ts';
import { messageNotFound, replyIsOver } from '../../domain/conversation-refusals.ts';
import { toolCallDecided, toolCallNotFound } from '../../domain/conversation-tools.ts';
import { OwnedMessage } from '../../projections/messages/message-by-id.ts';
import { messageKey, type MessageRow } from '../../projections/messages/message-rows.ts';
import { WorkerOf } from '../../projections/messages/pending-replies.ts';
import { LiveReplies } from '../../workflows/live-replies.ts';
import { ReplyScheduler } from '../../workflows/claiming/reply-scheduler.ts';
import { positionIn } from '../../adapters/stream-events.ts';
import { ToolRoundsOf } from '../../projections/messages/tool-calls.ts';
import { AcceptedAnswer, DecidedCall } from '../answers.ts';
import { ownerKeyOf } from '../caller-as-owner.ts';
import { STREAM_DESCRIPTION } from '../streams/stream-description.ts';
import { ReplyAnswers } from './reply-answers.ts';

class DecideBody {
  @IsBoolean() approve!: boolean;
}

/** A reply while it is being written. */
@Controller('conversation/:conversationId/:messageId')
export class ReplyController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
    private readonly answers: ReplyAnswers,
    private readonly live: LiveReplies,
    private readonly others: OtherReplicas,
    private readonly replies: ReplyScheduler,
    private readonly clock: Clock,
  ) {}

  @Get('stream')
  @SignedIn()
  @Summary('Follow a reply to its end, or resume a broken stream with Last-Event-ID.')
  @Answers(200, { type: 'string' }, { mediaType: 'text/event-stream', description: STREAM_DESCRIPTION })
  @Refuses('message_not_found', 404)
  async stream(
    @Caller() caller: Caller,
    @IdParam('conversationId') conversationId: string,
    @IdParam('messageId') messageId: string,
    @Headers('last-event-id') lastEventId: string | undefined,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    await this.replyOf(caller, conversationId, messageId);
    const followed = { conversationId, replyId: messageId, userId: caller.userId };
    await this.answers.stream(reply, followed, positionIn(lastEventId));
  }

  @Post('cancel')
  @SignedIn()
  @HttpCode(202)
  @Summary('Stop a reply that is being written. The text so far is stored and charged.')
  @Answers(202, AcceptedAnswer)
  @Refuses('message_not_found', 404)
  @Refuses('reply_is_over', 409)
  async cancel(
    @Caller() caller: Caller,
    @IdParam('conversationId') conversationId: string,
    @IdParam('messageId') replyId: string,
  ): Promise<AcceptedAnswer> {
    const { userId } = caller;
    const { status } = await this.replyOf(caller, conversationId, replyId);
    if (status !== 'processing' && status !== 'awaiting_approval') throw replyIsOver();
    await this.commands.execute(new ExecuteConversation(conversationId, { type: 'CancelReply', replyId, userId }));
    const live = this.live.of(replyId);
    if (live) live.stop('cancelled');
    else await this.notifyWorker(conversationId, replyId, userId);
    return { conversation_id: conversationId, message_id: replyId };
  }

  @Post('tool-calls/:callId')
  @SignedIn()
  @HttpCode(200)
  @Summary('Approve or deny a tool call for which a reply is waiting. The reply continues when all of its calls are decided.')
  @Answers(200, DecidedCall)
  @Refuses('message_not_found', 404)
  @Refuses('tool_call_not_found', 404)
  @Refuses('approval_expired', 409)
  @Refuses('approval_not_needed', 409)
  @Refuses('tool_call_decided', 409)
  async decide(
    @Caller() caller: Caller,
    @IdParam('conversationId') conversationId: string,
    @IdParam('messageId') replyId: string,
    @IdParam('callId') callId: string,
    @Body() { approve }: DecideBody,
  ): Promise<DecidedCall> {
    const { userId } = caller;
    await this.replyOf(caller, conversationId, replyId);
    const decision = { type: 'DecideToolCall', replyId, callId, userId, isApproved: approve, now: this.clock.now() } as const;
    try {
      await this.commands.execute(new ExecuteConversation(conversationId, decision));
    } catch (error) {
      if (!(error instanceof Refusal) || error.code !== toolCallNotFound().code) throw error;
      await this.requireSame(conversationId, replyId, callId, approve);
    }
    // If it was the last decision, a process takes the reply now.
    await this.replies.takePending();
    return { conversation_id: conversationId, message_id: replyId, call_id: callId, approve };
  }

  /** The stream only has the calls of the last round. Decisions never change, so earlier ones are read from the read model. */
  private async requireSame(conversationId: string, replyId: string, callId: string, approve: boolean): Promise<void> {
    const rounds = await this.queries.execute(new ToolRoundsOf(messageKey(conversationId, replyId)));
    const call = rounds.flatMap(({ calls }) => calls).find(({ call_id }) => call_id === callId);
    if (call?.approval === undefined || call.approval === 'pending') throw toolCallNotFound();
    if ((call.approval === 'approved') !== approve) throw toolCallDecided();
  }

  private async notifyWorker(conversationId: string, replyId: string, userId: string): Promise<void> {
    const worker = await this.queries.execute(new WorkerOf(replyId));
    if (worker !== null) await this.others.cancel(worker, { conversationId, replyId, userId });
    // No process writes the reply, so one takes it to end it.
    else await this.replies.takePending();
  }

  /** Throws the refusal `message_not_found` (missing), even for a message of the user. */
  private async replyOf(caller: Caller, conversationId: string, replyId: string): Promise<MessageRow> {
    const found = await this.queries.execute(new OwnedMessage(conversationId, replyId, ownerKeyOf(caller)));
    if (found?.message.role !== 'assistant') throw messageNotFound();
    return found.message;
  }
}
