import { Body, Controller, Delete, Get, Headers, HttpCode, Patch, Put, Query, Res } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { Caller, IdParam, PageQuery, SignedIn } from '@parlance/http';
import { Answers, Refuses, Summary } from '@parlance/openapi';
import { type Seal, Shredded, Vault } from '@parlance/privacy';
import { IsBoolean, IsOptional, Length, Matches } from 'class-validator';
import type { FastifyReply } from 'fastify';
import { ExecuteConversation } from '../commands/aggregates.ts';
import { conversationSubject } from '../commands/conversation-subject.ts';
import { conversationNotFound, messageNotFound } from '../domain/conversation-refusals.ts';
import { MAX_TITLE } from '../domain/title-rule.ts';
import { DetailsOfMessage } from '../projections/conversations.ts';
import { OwnedMessage } from '../projections/messages/message-by-id.ts';
import { ConversationRemoval } from '../workflows/conversation-removal.ts';
import { TitleProposals } from '../workflows/title-proposals.ts';
import { ownerKeyOf, ownerOf, isAdmin } from './caller-as-owner.ts';
import { Conversation, ConversationSummary, DeletionReceipt, FeedbackAnswer, ProposedTitle, REMOVED_FROM } from './conversation-answers.ts';
import { OpenedMessages } from './opened-messages.ts';
import { WholeConversations } from './whole-conversations.ts';

const MAX_COMMENT = 2_000;

class TitleBody {
  @Length(1, MAX_TITLE) @Matches(/\S/u, { message: 'must not be only spaces' }) title!: string;
}

class FeedbackBody {
  @IsBoolean() thumbs_up!: boolean;
  /** Required when `thumbs_up` is false. One word instead of a text, because it is not sealed. */
  @IsOptional() @Matches(/^[A-Za-z][A-Za-z0-9_-]{0,49}$/) category?: string;
  @IsOptional() @Length(1, MAX_COMMENT) comment?: string;
}

/** One of the caller's own conversations. */
@Controller('conversation/:conversationId')
export class OwnConversationController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
    private readonly vault: Vault,
    private readonly conversations: WholeConversations,
    private readonly opened: OpenedMessages,
    private readonly titles: TitleProposals,
    private readonly removal: ConversationRemoval,
  ) {}

  @Get()
  @SignedIn()
  @Summary('Get a conversation with its newest messages. Use next_token for older ones. A page with long texts ends early.')
  @Answers(200, Conversation)
  @Refuses('invalid_next_token', 400)
  @Refuses('conversation_not_found', 404)
  @Refuses('busy', 503)
  async get(
    @Caller() caller: Caller,
    @IdParam('conversationId') id: string,
    @Query() page: PageQuery,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<Conversation> {
    return this.conversations.page(caller, id, page, reply);
  }

  @Patch('title')
  @SignedIn()
  @Summary('Set the title of a conversation.')
  @Answers(200, ConversationSummary)
  @Refuses('conversation_not_found', 404)
  async setTitle(
    @Caller() caller: Caller,
    @IdParam('conversationId') id: string,
    @Body() { title }: TitleBody,
    @Headers('if-match') ifMatch?: string,
  ): Promise<ConversationSummary> {
    const { userId } = caller;
    await this.conversations.of(caller, id);
    await this.sealing(id, userId, ({ text, companions }) => {
      const command = { type: 'SetTitle', userId, title: text(title) } as const;
      return this.commands.execute(new ExecuteConversation(id, command, { ifMatch, companions }));
    });
    return this.conversations.summary(await this.conversations.of(caller, id));
  }

  @Get('proposed-title')
  @SignedIn()
  @Summary('Propose a title without setting it: by the title model, or else from the first words. Charged again only after a new message.')
  @Answers(200, ProposedTitle)
  @Refuses('conversation_not_found', 404)
  async proposedTitle(@Caller() caller: Caller, @IdParam('conversationId') id: string): Promise<ProposedTitle> {
    return { title: await this.titles.titleOf((await this.conversations.of(caller, id)).row) };
  }

  @Put(':messageId/feedback')
  @SignedIn()
  @Summary('Rate a completed reply. A later rating replaces the earlier one.')
  @Answers(200, FeedbackAnswer)
  @Refuses('category_required', 400)
  @Refuses('message_not_found', 404)
  @Refuses('reply_in_progress', 409)
  async rate(
    @Caller() caller: Caller,
    @IdParam('conversationId') conversation_id: string,
    @IdParam('messageId') message_id: string,
    @Body() { thumbs_up, category: its, comment: text }: FeedbackBody,
  ): Promise<FeedbackAnswer> {
    const { userId } = caller;
    const found = await this.queries.execute(new OwnedMessage(conversation_id, message_id, ownerKeyOf(caller)));
    if (!found) throw messageNotFound();
    const [category, comment] = [its ?? null, text ?? null];
    const rated = { thumbs_up, category, comment };
    const { message } = found;
    const { feedback } = await this.queries.execute(new DetailsOfMessage(message));
    const before = feedback && (await this.opened.feedback(feedback));
    if (JSON.stringify(before) !== JSON.stringify(rated)) {
      const reply = { id: message_id, exists: message.role === 'assistant' && message.status === 'completed' };
      await this.sealing(conversation_id, userId, ({ text: sealText, companions }) => {
        const rating = { userId, reply, thumbsUp: thumbs_up, category, comment: comment === null ? null : sealText(comment) };
        return this.commands.execute(new ExecuteConversation(conversation_id, { type: 'GiveFeedback', ...rating }, { companions }));
      });
    }
    return { conversation_id, message_id, ...rated };
  }

  @Delete()
  @SignedIn()
  @HttpCode(200)
  @Summary('Delete a conversation. Its content is removed, and its ID cannot be used again. Totals of costs and counts remain.')
  @Answers(200, DeletionReceipt)
  @Refuses('conversation_not_found', 404)
  @Refuses('on_hold', 409)
  async delete(
    @Caller() caller: Caller,
    @IdParam('conversationId') conversation_id: string,
    @Headers('if-match') ifMatch?: string,
  ): Promise<DeletionReceipt> {
    const messages = await this.removal.delete(conversation_id, ownerOf(caller), { ifMatch, forAdmin: isAdmin(caller) });
    return { conversation_id, removed: { messages }, removed_from: [...REMOVED_FROM] };
  }

  /** Throws `conversation_not_found` if the conversation was deleted in the meantime. */
  private async sealing(id: string, userId: string, work: (seal: Seal) => Promise<unknown>): Promise<void> {
    try {
      await this.vault.sealing(conversationSubject(id, userId), work);
    } catch (error) {
      throw error instanceof Shredded ? conversationNotFound() : error;
    }
  }
}
