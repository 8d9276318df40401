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

/** Pages of shares. Expired shares are left out, even before they are ended. */
@Injectable()
export class ShareLists {
  constructor(
    private readonly vault: Vault,
    private readonly tokens: PageTokens,
    private readonly clock: Clock,
  ) {}

  async own(listing: object, page: PageQuery, find: Find): Promise<SharesAnswer> {
    const { rows, next_token } = await this.page(listing, page, find);
    const shares: Share[] = [];
    for (const row of rows) shares.push(await this.share(row));
    return { shares, next_token };
  }

  /** Leaves out titles, because they are content. */
  async all(listing: object, page: PageQuery, find: Find): Promise<AdminSharesAnswer> {
    const { rows, next_token } = await this.page(listing, page, find);
    return { shares: rows.map((row): AdminShare => ({ ...shown(row), user_id: row.user_id, bot_id: row.bot_id })), next_token };
  }

  /** The share as its owner sees it. */
  async share(row: ShareRow): Promise<Share> {
    if (isTurnOver()) await nextTurn();
    const inner = await this.vault.open(row.title as Sealed);
    // Null while the share is being ended.
    const title = inner === null ? null : await this.vault.open(inner as Sealed);
    return { ...shown(row), title: title ?? '' };
  }

  private async page(listing: object, { limit, next_token }: PageQuery, find: Find) {
    const after = next_token === undefined ? null : this.tokens.open<Cursor>(listing, next_token);
    const { shares, next } = await find(limit, after);
    const now = this.clock.now();
    const rows = shares.filter(({ expires_at }) => expires_at === null || expires_at > now);
    return { rows, next_token: next && this.tokens.seal(listing, next) };
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
