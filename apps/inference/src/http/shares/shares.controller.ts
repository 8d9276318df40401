import { Body, Controller, Delete, Get, HttpCode, Post, Query } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { Config } from '@parlance/config';
import { Instant } from '@parlance/decider';
import { Clock } from '@parlance/foundation';
import { Audited, Caller, FreshId, IdParam, PageQuery, SignedIn } from '@parlance/http';
import { Answers, Refuses, Summary } from '@parlance/openapi';
import { IsBoolean, IsIn, IsInt, IsOptional, IsPositive, Max } from 'class-validator';
import type { ShareAudience } from '../../domain/shares/shares.ts';
import { SharesOfConversation, SharesOfUser } from '../../projections/shares/shares.ts';
import { ConversationShares } from '../../workflows/shares/conversation-shares.ts';
import { WholeConversations } from '../whole-conversations.ts';
import { CreatedShare, SharesAnswer } from './share-answers.ts';
import { ShareLists } from './share-lists.ts';

/** The end of the year 9999. A larger value is probably in milliseconds. */
const LATEST_EXPIRY_SECONDS = 253_402_300_799;

class ShareBody {
  @IsIn(['signed_in', 'public']) audience!: ShareAudience;
  /** In epoch seconds. */
  @IsOptional() @IsInt() @IsPositive() @Max(LATEST_EXPIRY_SECONDS) expires_at?: number;
  @IsOptional() @IsBoolean() include_attachments?: boolean;
  @IsOptional() @IsBoolean() include_sources?: boolean;
}

/** The shares of one of the caller's own conversations. */
@Controller('conversation/:conversationId/shares')
@SignedIn()
export class SharesController {
  constructor(
    private readonly queries: QueryBus,
    private readonly conversations: WholeConversations,
    private readonly shares: ConversationShares,
    private readonly lists: ShareLists,
    private readonly config: Config,
    private readonly clock: Clock,
  ) {}

  @Post()
  @Audited('share_conversation', 'conversation', 'conversationId')
  @Summary('Share a conversation as it is shown now, with a link. Only this answer has the link. Later messages are not shared.')
  @Answers(201, CreatedShare)
  @Refuses('expiry_passed', 400)
  @Refuses('public_links_disabled', 403)
  @Refuses('conversation_not_found', 404)
  @Refuses('share_not_found', 404)
  @Refuses('reply_in_progress', 409)
  @Refuses('too_many_shares', 409)
  @Refuses('share_too_large', 413)
  @Refuses('too_many_shares_today', 429)
  async create(
    @FreshId() shareId: string,
    @Caller() caller: Caller,
    @IdParam('conversationId') conversationId: string,
    @Body() { audience, expires_at, include_attachments, include_sources }: ShareBody,
  ): Promise<Partial<CreatedShare>> {
    const found = await this.conversations.of(caller, conversationId);
    const { title } = await this.conversations.summary(found);
    const expiresAt = expires_at === undefined || expires_at === null ? null : Instant.ofSeconds(expires_at);
    const wanted = { audience, expiresAt, attachments: include_attachments === true, sources: include_sources === true };
    const { row, token } = await this.shares.share(found.row, title, shareId, wanted);
    // In a retry after a lost answer, the token is no longer known.
    return { ...(await this.lists.share(row)), ...(token !== null && { url: `${this.config.publicBaseUrl}/shared/${token}` }) };
  }

  @Get()
  @Summary('List the active shares of a conversation, without their links, the newest first.')
  @Answers(200, SharesAnswer)
  @Refuses('invalid_next_token', 400)
  @Refuses('conversation_not_found', 404)
  async list(@Caller() caller: Caller, @IdParam('conversationId') conversationId: string, @Query() page: PageQuery): Promise<SharesAnswer> {
    await this.conversations.of(caller, conversationId);
    const listing = { list: 'shares', conversationId };
    return this.lists.own(listing, page, (limit, after) => this.queries.execute(new SharesOfConversation(conversationId, limit, after)));
  }

  @Delete(':shareId')
  @HttpCode(204)
  @Audited('revoke_share', 'share', 'shareId')
  @Summary('Revoke a share. Its link stops working before the answer arrives. A repeated request gets the same answer.')
  @Answers(204)
  @Refuses('conversation_not_found', 404)
  @Refuses('share_not_found', 404)
  async revoke(
    @Caller() caller: Caller,
    @IdParam('conversationId') conversationId: string,
    @IdParam('shareId') shareId: string,
  ): Promise<void> {
    await this.conversations.of(caller, conversationId);
    await this.shares.revoke(caller.userId, conversationId, shareId, 'owner');
  }
}

@Controller('user/me/shares')
export class OwnSharesController {
  constructor(
    private readonly queries: QueryBus,
    private readonly lists: ShareLists,
  ) {}

  @Get()
  @SignedIn()
  @Summary('List your active shares of all conversations, the newest first.')
  @Answers(200, SharesAnswer)
  @Refuses('invalid_next_token', 400)
  async list(@Caller() { userId }: Caller, @Query() page: PageQuery): Promise<SharesAnswer> {
    const listing = { list: 'own-shares', userId };
    return this.lists.own(listing, page, (limit, after) => this.queries.execute(new SharesOfUser(userId, limit, after)));
  }
}
