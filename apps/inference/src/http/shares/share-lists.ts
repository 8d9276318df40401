import { Injectable } from '@nestjs/common';
import { isTurnOver, nextTurn } from '@parlance/event-loop';
import { Instant } from '@parlance/decider';
import { Clock } from '@parlance/foundation';
import { type PageQuery, PageTokens } from '@parlance/http';
import { type Sealed, Vault } from '@parlance/privacy';
import type { Cursor } from '@parlance/read-models';
import type { SharePage, ShareRow } from '../../projections/shares/shares.ts';
import type { AdminShare, AdminSharesAnswer, Share, SharesAnswer } from './share-answers.ts';

type Find = (limit: number, after: Cursor | null) => Promise<SharePage>;

/** Pages of shares. A share whose time has passed is in none, also in the moment before it is ended. */
@Injectable()
export class ShareLists {
  constructor(
    private readonly vault: Vault,
    private readonly tokens: PageTokens,
    private readonly clock: Clock,
  ) {}

  async own(asked: object, page: PageQuery, find: Find): Promise<SharesAnswer> {
    const { rows, next_token } = await this.page(asked, page, find);
    const shares: Share[] = [];
    for (const row of rows) shares.push(await this.share(row));
    return { shares, next_token };
  }

  /** Without titles, which are content. */
  async all(asked: object, page: PageQuery, find: Find): Promise<AdminSharesAnswer> {
    const { rows, next_token } = await this.page(asked, page, find);
    return { shares: rows.map((row): AdminShare => ({ ...shown(row), user_id: row.user_id, bot_id: row.bot_id })), next_token };
  }

  /** As its owner sees it. */
  async share(row: ShareRow): Promise<Share> {
    if (isTurnOver()) await nextTurn();
    const inner = await this.vault.open(row.title as Sealed);
    // Null in the moment in which the share is being ended.
    const title = inner === null ? null : await this.vault.open(inner as Sealed);
    return { ...shown(row), title: title ?? '' };
  }

  private async page(asked: object, { limit, next_token }: PageQuery, find: Find) {
    const after = next_token === undefined ? null : this.tokens.open<Cursor>(asked, next_token);
    const { shares, next } = await find(limit, after);
    const now = this.clock.now();
    const rows = shares.filter(({ expires_at }) => expires_at === null || expires_at > now);
    return { rows, next_token: next && this.tokens.seal(asked, next) };
  }
}

const shown = ({
  share_id,
  conversation_id,
  audience,
  shared_at,
  expires_at,
  include_attachments,
  include_sources,
  messages,
}: ShareRow) => ({
  share_id,
  conversation_id,
  audience,
  create_time: Instant.toSeconds(shared_at),
  expires_at: expires_at === null ? null : Instant.toSeconds(expires_at),
  include_attachments,
  include_sources,
  messages,
});
