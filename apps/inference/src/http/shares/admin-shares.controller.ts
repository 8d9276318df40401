import { Controller, Delete, Get, HttpCode, Query } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { Audited, AuditedRead, IdParam, Needs, PageQuery } from '@parlance/http';
import { Answers, Refuses, Summary } from '@parlance/openapi';
import { shareNotFound } from '../../domain/shares/share-refusals.ts';
import { AllShares, ShareById } from '../../projections/shares/shares.ts';
import { ConversationShares } from '../../workflows/shares/conversation-shares.ts';
import { AdminSharesAnswer } from './share-answers.ts';
import { ShareLists } from './share-lists.ts';

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
  @Summary('List the shares of all users that have not ended, without content and links. The newest come first.')
  @Answers(200, AdminSharesAnswer)
  @Refuses('invalid_next_token', 400)
  async list(@Query() page: PageQuery): Promise<AdminSharesAnswer> {
    return this.lists.all({ list: 'admin-shares' }, page, (limit, after) => this.queries.execute(new AllShares(limit, after)));
  }

  @Delete(':shareId')
  @HttpCode(204)
  @Audited('revoke_share', 'share', 'shareId')
  @Summary('Revoke a share of any user. Its link shows nothing any more when the answer arrives.')
  @Answers(204)
  @Refuses('share_not_found', 404)
  async revoke(@IdParam('shareId') shareId: string): Promise<void> {
    const row = await this.queries.execute(new ShareById(shareId));
    if (!row) throw shareNotFound();
    await this.shares.revoke(row.user_id, shareId, 'admin');
  }
}
