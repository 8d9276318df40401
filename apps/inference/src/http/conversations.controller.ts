import { Controller, Delete, Get, HttpCode, Query } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { Caller, PageQuery, PageTokens, SignedIn } from '@parlance/http';
import { refuse } from '@parlance/decider';
import { Answers, Refuses, Summary } from '@parlance/openapi';
import type { Cursor } from '@parlance/read-models';
import { IsBoolean, IsOptional, Length } from 'class-validator';
import { OwnConversations } from '../projections/conversations.ts';
import { OwnSearch, type SearchPosition } from '../projections/own-search.ts';
import { MAX_SEARCH, wordsOf } from '../projections/search-words.ts';
import { ConversationRemoval } from '../workflows/conversation-removal.ts';
import { isAdmin } from './caller-as-owner.ts';
import { ConversationsAnswer, DeletionsReceipt, FoundConversations, REMOVED_FROM } from './conversation-answers.ts';
import { ConversationSummaries } from './conversation-summaries.ts';

class SearchQuery extends PageQuery {
  @Length(1, MAX_SEARCH) query!: string;
}

class ListQuery extends PageQuery {
  /** Only pinned conversations. */
  @IsOptional() @IsBoolean() pinned?: boolean;
}

const NOT_DELETED = 'A fault of this installation prevents the deletion. An administrator finds the cause in the log.';

/** The caller's own conversations. */
@Controller('conversations')
export class ConversationsController {
  constructor(
    private readonly queries: QueryBus,
    private readonly summaries: ConversationSummaries,
    private readonly removal: ConversationRemoval,
    private readonly tokens: PageTokens,
    private readonly searching: OwnSearch,
  ) {}

  @Get()
  @SignedIn()
  @Summary('List own conversations, the one with the newest message first.')
  @Answers(200, ConversationsAnswer)
  @Refuses('invalid_next_token', 400)
  async list(@Caller() { userId }: Caller, @Query() { limit, next_token, pinned }: ListQuery): Promise<ConversationsAnswer> {
    const isPinned = pinned === true;
    const listing = { list: 'conversations', user: userId, ...(isPinned && { isPinned }) };
    const after = next_token === undefined ? null : this.tokens.open<Cursor>(listing, next_token);
    const { conversations, next } = await this.queries.execute(new OwnConversations(userId, limit, after, { isPinned }));
    return {
      conversations: await this.summaries.of(conversations),
      next_token: next === null ? null : this.tokens.seal(listing, next),
    };
  }

  @Get('search')
  @SignedIn()
  @Summary('Search own conversations for titles and messages with all words, ignoring case and accents. Quoted words are a phrase.')
  @Answers(200, FoundConversations)
  @Refuses('invalid_next_token', 400)
  @Refuses('query_without_words', 400)
  async search(@Caller() { userId }: Caller, @Query() { query, limit, next_token }: SearchQuery): Promise<FoundConversations> {
    const listing = { list: 'conversation-search', user: userId, query };
    const words = wordsOf(query);
    if (words.length === 0) throw refuse('invalid', 'query_without_words', 'The query has no words. Send at least one in `query`.');
    const from = next_token === undefined ? null : this.tokens.open<SearchPosition>(listing, next_token);
    const { found, next } = await this.searching.find(userId, words, limit, from);
    const summaries = await this.summaries.of(found.map(({ row }) => ({ row, nanoDollars: 0 })));
    return {
      results: summaries.map(({ conversation_id, title, last_message_time, bot_id, project_id, pinned, memory }, index) => {
        const highlights = found[index]!.highlights.map(({ message_id, text, matches }) => ({ message_id, text, matches: [...matches] }));
        return { conversation_id, title, last_message_time, bot_id, project_id, pinned, memory, highlights };
      }),
      next_token: next === null ? null : this.tokens.seal(listing, next),
    };
  }

  @Delete()
  @SignedIn()
  @HttpCode(200)
  @Summary('Delete all own conversations. Repeat the request if `is_complete` is false.')
  @Answers(200, DeletionsReceipt)
  @Refuses('on_hold', 409)
  async deleteAll(@Caller() caller: Caller): Promise<DeletionsReceipt> {
    const { conversations, messages, onHold, failed, isComplete } = await this.removal.deleteAll(caller.userId, isAdmin(caller));
    return {
      removed: { conversations, messages },
      removed_from: [...REMOVED_FROM],
      on_hold: onHold,
      failed: failed.map((conversation_id) => ({ conversation_id, detail: NOT_DELETED })),
      is_complete: isComplete,
    };
  }
}
