import { Injectable } from '@nestjs/common';
import { refuse } from '@parlance/decider';
import { ReadModels } from '@parlance/read-models';
import { Streams } from '@parlance/foundation';
import { commandWith } from '../bus.ts';
import { Catalogue, type ModelsOfBot } from '../adapters/pricing/catalogue.ts';
import { conversation, conversationStream } from '../domain/conversation.ts';
import { conversationNotFound, parentUnknown, refuseField } from '../domain/conversation-refusals.ts';
import type { ReplyParameters } from '../domain/conversation-events.ts';
import { isOwnedBy, type UsedApi } from '../domain/conversation-owner.ts';
import type { Conversation } from '../domain/conversation-state.ts';
import { settled } from '../adapters/budgets.ts';
import { NewFiles } from './new-files.ts';
import { ReplyReservations } from './reply-reservations.ts';
import type { Accepted } from './submit-message.ts';
import { messageKey, type MessageRow, messageRows } from '../projections/messages/message-rows.ts';
import { ReplyScheduler } from '../workflows/claiming/reply-scheduler.ts';

export interface NewReply {
  readonly userId: string;
  readonly botId: string | null;
  readonly replyId: string;
  /** The message of the user that is answered again, or the reply that is continued; null for the last one. */
  readonly parentId: string | null;
  /** Whether a reply is continued. */
  readonly continues: boolean;
  /** Undefined for the model of the earlier message. */
  readonly model: string | undefined;
  /** The models that the bot allows. */
  readonly bot: ModelsOfBot | null;
  readonly reasoning: boolean;
  readonly parameters?: ReplyParameters;
  /** Set if a program made the request. */
  readonly api?: UsedApi;
  /** Refused in a conversation that is not temporary. */
  readonly temporary?: true;
  /** Turns the memory on or off for the conversation. */
  readonly memory?: boolean;
}

/** Reserves the cost, and accepts the request for another reply to a message, or for the continuation of a reply. */
@Injectable()
export class RequestReplyHandler {
  constructor(
    private readonly streams: Streams,
    private readonly models: ReadModels,
    private readonly catalogue: Catalogue,
    private readonly replies: ReplyScheduler,
    private readonly reservations: ReplyReservations,
    private readonly files: NewFiles,
  ) {}

  async execute(conversationId: string, request: NewReply): Promise<Accepted> {
    const { userId, botId, replyId, continues, reasoning, parameters, api, memory } = request;
    const { state } = await this.streams.look(conversation, conversationStream(conversationId));
    if (!isOwnedBy(state, { userId, apiId: api?.apiId })) throw conversationNotFound();
    // A repeat of the request. Its reply may already be the last message.
    if (await this.row(conversationId, replyId)) return { budgetWarning: null };
    const earlier = await this.earlier(conversationId, state, request);
    const message = { id: continues ? earlier.parent! : earlier.message_id, exists: true };
    const model = this.catalogue.requireModel(request.model ?? earlier.model, request.bot).id;
    // A continuation leaves out the images if the model cannot see them.
    if (!continues && earlier.files?.some(({ kind }) => kind === 'image')) this.files.requireVision(model);
    const prompt = request.bot?.prompt;
    const reserved = await this.reservations.reserve(conversationId, {
      userId,
      botId,
      model,
      parentId: earlier.message_id,
      question: [],
      ...(prompt && { bot: { instruction: prompt.instruction, hasTools: (prompt.tools ?? []).length > 0 } }),
      ...(api && { api }),
    });
    const bytes = earlier.content?.length ?? 0;
    const accepting = this.replies.accept({ userId, conversationId, replyId, model, bytes }, async (claim) => {
      const place = { userId, botId, replyId, message, continues: continues ? earlier.message_id : null, model };
      const wanted = { reasoning, ...(parameters && { parameters }), ...(api && { api }), ...(memory !== undefined && { memory }) };
      const command = { type: 'RequestReply', ...place, ...wanted, claim, budgets: reserved.marks } as const;
      const stream = conversationStream(conversationId);
      const done = await settled(reserved, this.streams.execute(conversation, stream, command, { once: `submit ${replyId}` }));
      return claim && done.written ? { reply: { userId, conversationId, replyId, ...claim } } : null;
    });
    // Without an append, the reservation is released.
    await accepting.finally(() => reserved.release());
    return { budgetWarning: reserved.warning };
  }

  /** The message that is answered again, or the reply that is continued. */
  private async earlier(conversationId: string, state: Conversation, { parentId, continues }: NewReply): Promise<MessageRow> {
    const id = parentId ?? (continues ? state.lastMessageId : null);
    if (id === null) throw contentRequired();
    const row = await this.row(conversationId, id);
    if (!row) throw parentUnknown();
    if (!continues && row.role !== 'user') throw contentRequired();
    if (continues && row.role !== 'assistant')
      throw refuseField('message.parent_message_id', 'not_a_reply', 'With continue_generate, parent_message_id must be the ID of a reply.');
    if (continues && row.content === null && row.status !== 'processing')
      throw refuse('conflict', 'nothing_to_continue', 'This reply has no text to continue. Ask for another reply to its message.');
    return row;
  }

  private row(conversationId: string, messageId: string): Promise<MessageRow | null> {
    return this.models.get(messageRows, messageKey(conversationId, messageId));
  }
}

export const RequestReply = commandWith(
  'RequestReply',
  [RequestReplyHandler],
  ([handler], ...args: Parameters<RequestReplyHandler['execute']>) => handler.execute(...args),
);

export const contentRequired = () =>
  refuseField(
    'message.content',
    'content_required',
    'The content is empty. Send a text, or the ID of a message of the user in parent_message_id for another reply to it.',
  );
