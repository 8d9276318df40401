import { Controller, Delete, Get, HttpCode, Query, Req, Res } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { acceptsCsv, Audited, AuditedRead, csvList, IdParam, Needs, PageQuery } from '@parlance/http';
import { Answers, Refuses, Summary } from '@parlance/openapi';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { shareNotFound } from '../../domain/shares/share-refusals.ts';
import { AllShares, ShareById } from '../../projections/shares/shares.ts';
import { ConversationShares } from '../../workflows/shares/conversation-shares.ts';
import { AdminSharesAnswer } from './share-answers.ts';
import { ShareLists } from './share-lists.ts';

const COLUMNS = [
  'share_id',
  'user_id',
  'bot_id',
  'conversation_id',
  'audience',
  'create_time',
  'expires_at',
  'include_attachments',
  'include_sources',
  'messages',
] as const;

/** The shares of all users, for administrators. They see no content and no links. */
@Controller('admin/shares')
@Needs('Admin')
export class AdminSharesController {
  constructor(
    private readonly queries: QueryBus,
    private readonly shares: ConversationShares,
    private readonly lists: ShareLists,
  ) {}

  @Get()
  @AuditedRead('view_shares', 'share')
  @Summary('List the active shares of all users, without content and links, the newest first.')
  @Answers(200, AdminSharesAnswer)
  @Answers(200, { type: 'string' }, { mediaType: 'text/csv' })
  @Refuses('invalid_next_token', 400)
  list(@Query() page: PageQuery, @Req() request: FastifyRequest, @Res({ passthrough: true }) reply: FastifyReply) {
    if (acceptsCsv(request.headers.accept)) return csvList(reply, { list: 'shares', columns: COLUMNS, read: (its) => this.page(its) });
    return this.page(page);
  }

  private page(page: PageQuery): Promise<AdminSharesAnswer> {
    return this.lists.all({ list: 'admin-shares' }, page, (limit, after) => this.queries.execute(new AllShares(limit, after)));
  }

  @Delete(':shareId')
  @HttpCode(204)
  @Audited('revoke_share', 'share', 'shareId')
  @Summary('Revoke a share of any user. Its link stops working before the answer arrives.')
  @Answers(204)
  @Refuses('share_not_found', 404)
  async revoke(@IdParam('shareId') shareId: string): Promise<void> {
    const row = await this.queries.execute(new ShareById(shareId));
    if (!row) throw shareNotFound();
    await this.shares.revoke(row.user_id, row.conversation_id, shareId, 'admin');
  }
}
