import { Inject, Injectable } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { Config } from '@parlance/config';
import { type Instant, refuse } from '@parlance/decider';
import { Clock, LOGGER, Streams } from '@parlance/foundation';
import { Shredded, Vault } from '@parlance/privacy';
import type { Logger } from 'pino';
import { ExecuteShares } from '../../commands/aggregates.ts';
import { conversationSubject } from '../../commands/conversation-subject.ts';
import { conversation, conversationStream } from '../../domain/conversation.ts';
import { conversationNotFound } from '../../domain/conversation-refusals.ts';
import { isClosed } from '../../domain/conversation-state.ts';
import { MAX_SHARED_MESSAGES, MAX_SNAPSHOT_BYTES } from '../../domain/shares/share-limits.ts';
import { publicLinksOff, shareNotFound, shareTooLarge } from '../../domain/shares/share-refusals.ts';
import { isOver, type ShareAudience, shares, type Shares, type SharesCommand, sharesStream } from '../../domain/shares/shares.ts';
import type { ListedConversationRow } from '../../projections/conversation-list.ts';
import { ShareById, type ShareRow } from '../../projections/shares/shares.ts';
import { ShownPath } from '../../projections/shares/shown-path.ts';
import { mintShareToken, shareSubject } from './share-subject.ts';
import { Snapshots } from './snapshot.ts';

/** Sealed texts have four characters per three bytes. */
const MOST_SEALED = Math.ceil((MAX_SNAPSHOT_BYTES * 4) / 3);

export interface ShareOptions {
  readonly audience: ShareAudience;
  readonly expiresAt: Instant | null;
  readonly attachments: boolean;
  readonly sources: boolean;
}

/**
 * Shares conversations, and ends shares. The snapshot is sealed under the conversation's key and then under the share's key, so destroying
 * either of them, or the owner's key in which both are nested, makes it unreadable.
 */
@Injectable()
export class ConversationShares {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
    private readonly streams: Streams,
    private readonly vault: Vault,
    private readonly snapshots: Snapshots,
    private readonly clock: Clock,
    private readonly config: Config,
    @Inject(LOGGER) private readonly log: Logger,
  ) {}

  /**
   * Shares a user's own conversation as it is shown now. The token is null when a repeated request finds its share. Throws the refusals of
   * the decider and `reply_in_progress` (conflict), `public_links_disabled` (forbidden), `share_too_large` (too_large).
   */
  async share(row: ListedConversationRow, title: string, shareId: string, wanted: ShareOptions) {
    if (wanted.audience === 'public' && !this.config.allowPublicLinks) throw publicLinksOff();
    const { conversation_id: conversationId, user_id: userId } = row;
    const path = await this.queries.execute(new ShownPath(conversationId, row.last_message_id, MAX_SHARED_MESSAGES, MOST_SEALED));
    if (!path) throw shareTooLarge();
    if (path.some(({ status }) => status === 'processing' || status === 'awaiting_approval')) throw replyInProgress();
    if (path.length === 0) throw conversationNotFound();
    const { token, hash } = mintShareToken();
    const { written } = await this.sealing(shareId, userId, async () => {
      const pages = await this.snapshots.pages(conversationId, userId, path, wanted);
      const sealedTitle = await this.vault.seal(conversationSubject(conversationId, userId), title);
      return this.vault.sealing(shareSubject(shareId, userId), async (seal) => {
        const snapshot = { title: seal.text(sealedTitle), messages: path.length, pages: pages.map((page) => seal.text(page)) };
        const { audience, expiresAt, attachments: includesAttachments, sources: includesSources } = wanted;
        const terms = { shareId, conversationId, botId: row.bot_id, audience, expiresAt, includesAttachments, includesSources };
        const command = { type: 'Share', ...terms, ...snapshot, tokenHash: hash, now: this.clock.now() } as const;
        // Because of this key a repeat of the request creates no second share, even if the first has ended.
        const options = { once: `share ${shareId}`, companions: seal.companions };
        const done = await this.commands.execute(new ExecuteShares(userId, command, options));
        if (done.written) seal.stored();
        return done;
      });
    });
    await this.endIfDeleted(conversationId, userId);
    const shared = await this.queries.execute(new ShareById(shareId));
    if (!shared) throw shareNotFound();
    return { row: shared, token: written ? token : null };
  }

  /** Ends a share at once. A repetition succeeds without effect. Throws `share_not_found` (missing). */
  async revoke(userId: string, conversationId: string, shareId: string, by: 'owner' | 'admin'): Promise<void> {
    // The state has no ended shares. This name shows that the share was this user's, of this conversation, and was revoked.
    const once = `revoke share ${userId} ${conversationId} ${shareId}`;
    // The event comes first: every view of a share reads the stream, so the share is hidden from now on.
    await this.commands.execute(new ExecuteShares(userId, { type: 'Revoke', shareId, conversationId, by }, { once }));
    // If this fails or is interrupted, `DestroyKeysOfSharesThatEnded` destroys the key.
    await this.destroyKey(userId, shareId).catch((error: unknown) =>
      this.log.error({ err: error, share: shareId }, 'the key of a revoked share could not be destroyed; will retry'),
    );
  }

  /** Destroys the key of a share. Idempotent. */
  async destroyKey(userId: string, shareId: string): Promise<void> {
    await this.vault.shred(shareSubject(shareId, userId).id);
  }

  async expire({ user_id, share_id }: ShareRow): Promise<void> {
    const now = this.clock.now();
    const share = (await this.stateOf(user_id)).live[share_id];
    if (!share || !isOver(share, now)) return;
    await this.vault.shred(shareSubject(share_id, user_id).id);
    await this.execute(user_id, { type: 'Expire', shareId: share_id, now });
  }

  /** Ends the shares of a conversation that is being deleted. */
  async endSharesOf(conversationId: string, userId: string): Promise<void> {
    const ended = await this.shred(userId, conversationId);
    if (ended > 0) await this.execute(userId, { type: 'EndSharesOf', conversationId });
  }

  /** Ends all shares of an erased user. Nothing can be shared afterwards. */
  async erase(userId: string): Promise<void> {
    await this.shred(userId);
    await this.execute(userId, { type: 'Erase' });
  }

  stateOf(userId: string): Promise<Shares> {
    return this.streams.load(shares, sharesStream(userId));
  }

  private async shred(userId: string, conversationId?: string): Promise<number> {
    const { live } = await this.stateOf(userId);
    const ids = Object.keys(live).filter((id) => conversationId === undefined || live[id]!.conversationId === conversationId);
    for (const id of ids) await this.vault.shred(shareSubject(id, userId).id);
    return ids.length;
  }

  /** A concurrent deletion may have missed this share. It is recorded before it looks for shares, so it is found here. */
  private async endIfDeleted(conversationId: string, userId: string): Promise<void> {
    if (!isClosed(await this.streams.load(conversation, conversationStream(conversationId)))) return;
    await this.endSharesOf(conversationId, userId);
    throw conversationNotFound();
  }

  private execute(userId: string, command: SharesCommand) {
    return this.commands.execute(new ExecuteShares(userId, command));
  }

  /** When a share has ended, a repeated request finds its key destroyed. */
  private async sealing<Result>(shareId: string, userId: string, work: () => Promise<Result>): Promise<Result> {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof Shredded)) throw error;
      throw error.subject === shareSubject(shareId, userId).id ? shareNotFound() : conversationNotFound();
    }
  }
}

const replyInProgress = () =>
  refuse('conflict', 'reply_in_progress', 'A reply is still being written. Share the conversation when it is finished.');
