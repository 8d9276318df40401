import { Controller, Delete, Get, HttpCode, Query } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { Caller, PageQuery, PageTokens, SignedIn } from '@parlance/http';
import { Answers, Refuses, Summary } from '@parlance/openapi';
import type { Cursor } from '@parlance/read-models';
import { OwnConversations } from '../projections/conversations.ts';
import { ConversationRemoval } from '../workflows/conversation-removal.ts';
import { ConversationsAnswer, DeletionsReceipt, REMOVED_FROM } from './conversation-answers.ts';
import { ConversationSummaries } from './conversation-summaries.ts';

/** The caller's own conversations. */
@Controller('conversations')
export class ConversationsController {
  constructor(
    private readonly queries: QueryBus,
    private readonly summaries: ConversationSummaries,
    private readonly removal: ConversationRemoval,
    private readonly tokens: PageTokens,
  ) {}

  @Get()
  @SignedIn()
  @Summary('List own conversations. The one with the newest message comes first.')
  @Answers(200, ConversationsAnswer)
  @Refuses('invalid_next_token', 400)
  async list(@Caller() { userId }: Caller, @Query() { limit, next_token }: PageQuery): Promise<ConversationsAnswer> {
    const asked = { list: 'conversations', user: userId };
    const after = next_token === undefined ? null : this.tokens.open<Cursor>(asked, next_token);
    const { conversations, next } = await this.queries.execute(new OwnConversations(userId, limit, after));
    return {
      conversations: await this.summaries.of(conversations),
      next_token: next === null ? null : this.tokens.seal(asked, next),
    };
  }

  @Delete()
  @SignedIn()
  @HttpCode(200)
  @Summary('Delete all own conversations. If the answer says that it is not complete, repeat the request.')
  @Answers(200, DeletionsReceipt)
  async deleteAll(@Caller() { userId }: Caller): Promise<DeletionsReceipt> {
    const { conversations, messages, isComplete } = await this.removal.deleteAll(userId);
    return { removed: { conversations, messages }, removed_from: [...REMOVED_FROM], is_complete: isComplete };
  }
}
