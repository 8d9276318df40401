import { Injectable } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { Config } from '@parlance/config';
import { isTurnOver, nextTurn } from '@parlance/event-loop';
import { Clock, Streams } from '@parlance/foundation';
import type { Caller } from '@parlance/http';
import { type Sealed, Vault } from '@parlance/privacy';
import { shareNotFound } from '../../domain/shares/share-refusals.ts';
import { isOver, shares, sharesStream } from '../../domain/shares/shares.ts';
import { IsOpenConversation } from '../../projections/shares/open-conversation.ts';
import { ShareByToken, SharedPage, type ShareRow } from '../../projections/shares/shares.ts';
import { hashOfShareToken, TOKEN_FORM } from './share-subject.ts';
import type { SnapshotPage } from './snapshot.ts';

/** Reads shares for callers who have their links. */
@Injectable()
export class SharedConversations {
  constructor(
    private readonly queries: QueryBus,
    private readonly streams: Streams,
    private readonly vault: Vault,
    private readonly clock: Clock,
    private readonly config: Config,
  ) {}

  /**
   * The share of a link, if this caller may read it now. The stream shows whether it has ended, so a confirmed revocation applies in every
   * process. Otherwise throws `share_not_found` (missing), whatever the reason.
   */
  async of(token: string, caller: Caller | null): Promise<ShareRow> {
    const row = TOKEN_FORM.test(token) ? await this.queries.execute(new ShareByToken(hashOfShareToken(token))) : null;
    if (!row || !this.isFor(row, caller)) throw shareNotFound();
    const { live } = await this.streams.load(shares, sharesStream(row.user_id));
    const share = live[row.share_id];
    if (!share || isOver(share, this.clock.now())) throw shareNotFound();
    // A deletion hides the conversation before it ends the shares.
    if (!(await this.queries.execute(new IsOpenConversation(row.conversation_id)))) throw shareNotFound();
    return row;
  }

  /** Throws `share_not_found` (missing) when the share ends in the meantime. */
  async title({ title }: ShareRow): Promise<string> {
    return this.opened(title);
  }

  /** Throws `share_not_found` (missing) when the share ends in the meantime. */
  async page({ share_id }: ShareRow, page: number): Promise<SnapshotPage> {
    const sealed = await thenYield(this.queries.execute(new SharedPage(share_id, page)));
    return JSON.parse(await this.opened(sealed)) as SnapshotPage;
  }

  /** Anonymous callers need a public link, and an installation that allows public links. */
  private isFor({ audience }: ShareRow, caller: Caller | null): boolean {
    return caller?.kind === 'user' || (audience === 'public' && this.config.allowPublicLinks);
  }

  private async opened(sealed: string | null): Promise<string> {
    const inner = sealed && (await thenYield(this.vault.open(sealed as Sealed)));
    const text = inner && (await thenYield(this.vault.open(inner as Sealed)));
    if (text === null) throw shareNotFound();
    return text;
  }
}

/**
 * Other work gets a turn of the event loop after a step that took long. A page of 1 MB takes 20 ms in four steps, and pages that many readers
 * request at once would otherwise follow each other without a turn between them.
 */
async function thenYield<Result>(step: Promise<Result>): Promise<Result> {
  const result = await step;
  if (isTurnOver()) await nextTurn();
  return result;
}
