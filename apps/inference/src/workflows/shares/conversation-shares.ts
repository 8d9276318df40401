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

/** Sealed texts have four characters for three bytes. */
const MOST_SEALED = Math.ceil((MAX_SNAPSHOT_BYTES * 4) / 3);

export interface WantedShare {
  readonly audience: ShareAudience;
  readonly expiresAt: Instant | null;
  readonly attachments: boolean;
  readonly sources: boolean;
}

/**
 * Shares conversations, and ends shares. The snapshot is sealed under the key of the conversation and then under the key of the share, so
 * that destroying either of them, or the key of the owner around both, is enough.
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
   * Shares what is shown of a user's own conversation now. The token is null when a repeated request finds its share. Throws the refusals
   * of the decider and `reply_in_progress` (conflict), `public_links_disabled` (forbidden), `share_too_large` (too_large).
   */
  async share(row: ListedConversationRow, title: string, shareId: string, wanted: WantedShare) {
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
        // The ID names the effect: a repeat of the request makes no second share, also where the first has ended.
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

  /** Ends a share at once. `conversationId`: the conversation that the caller has named. Throws `share_not_found` (missing). */
  async revoke(userId: string, shareId: string, by: 'owner' | 'admin', conversationId?: string): Promise<void> {
    // The end first: the stream is read with each share, so nothing shows it any more, and it is in no list.
    await this.execute(userId, { type: 'Revoke', shareId, by, ...(conversationId !== undefined && { conversationId }) });
    // If this breaks off or fails, `DestroyKeysOfSharesThatEnded` does it.
    await this.destroyKey(userId, shareId).catch((error: unknown) =>
      this.log.error({ err: error, share: shareId }, 'the key of a revoked share could not be destroyed; it is tried again'),
    );
  }

  /** Does nothing the second time. */
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

  /** The shares of a conversation that is being deleted. */
  async endThoseOf(conversationId: string, userId: string): Promise<void> {
    const ended = await this.shred(userId, conversationId);
    if (ended > 0) await this.execute(userId, { type: 'EndThoseOf', conversationId });
  }

  /** All shares of an erased user. Nothing is shared afterwards. */
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

  /** The deletion may have looked for shares before this one was appended. It is recorded before it looks. */
  private async endIfDeleted(conversationId: string, userId: string): Promise<void> {
    if (!isClosed(await this.streams.load(conversation, conversationStream(conversationId)))) return;
    await this.endThoseOf(conversationId, userId);
    throw conversationNotFound();
  }

  private execute(userId: string, command: SharesCommand) {
    return this.commands.execute(new ExecuteShares(userId, command));
  }

  /** A repeated request finds the key of its share destroyed when the share has ended. */
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
