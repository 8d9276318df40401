import { Injectable } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { nextTurn } from '@parlance/event-loop';
import { erasureIncomplete, PagedRounds, pageOf, Streams } from '@parlance/foundation';
import { ShutdownPlan } from '@parlance/observability';
import { closedApi, closedApiStream } from '../../domain/closed-api.ts';
import { ownerKey } from '../../domain/conversation-owner.ts';
import { conversationNotFound, isOnHold, isRefusal } from '../../domain/conversation-refusals.ts';
import { ConversationsOwnedBy } from '../../projections/content-of-user.ts';
import { type PostponedRemovalRow, PostponedRemovals } from '../../projections/postponed-removals.ts';
import { ConversationRemoval, DELETED_AT_ONCE } from '../conversation-removal.ts';
import { HoldsOnConversations } from './holds-on-conversations.ts';

/** A user's published API, as the owner of conversations. */
export interface ApiOwner {
  readonly userId: string;
  readonly apiId: string;
}

/** Removed publications read at once. */
const READ_AT_ONCE = 100;

/** Deletes the conversations of removed publications. Conversations on hold are deleted when the hold ends. */
@Injectable()
export class RemovedPublications {
  private isStopping = false;
  private readonly postponed = new PagedRounds<PostponedRemovalRow, string>(
    'removed publications still have conversations',
    ({ api_id }) => api_id,
  );

  constructor(
    private readonly queries: QueryBus,
    private readonly removal: ConversationRemoval,
    private readonly holds: HoldsOnConversations,
    private readonly streams: Streams,
    shutdown: ShutdownPlan,
  ) {
    shutdown.stop('consumers', 'inference: deletion of the conversations of a publication', () => {
      this.isStopping = true;
    });
  }

  /** Rejects with `erasure_incomplete` (unavailable) when the process stops, or when the read model is not up to date. */
  async deleteConversationsOf(owner: ApiOwner): Promise<void> {
    // Recorded, so that a later round finds the conversations again.
    if ((await this.holds.on('user', owner.userId)).length > 0) return this.postpone(owner);
    let deleted: ReadonlySet<string> = new Set();
    let after: string | null = null;
    let isKept = false;
    for (;;) {
      const ids: readonly string[] = await this.queries.execute(new ConversationsOwnedBy(ownerKey(owner), after));
      if (ids.some((id) => deleted.has(id))) throw erasureIncomplete();
      if (ids.length === 0) break;
      const kept: string[] = [];
      for (let from = 0; from < ids.length; from += DELETED_AT_ONCE) {
        await nextTurn();
        await Promise.all(
          ids.slice(from, from + DELETED_AT_ONCE).map(async (id) => {
            if (!(await this.delete(id, owner))) kept.push(id);
          }),
        );
      }
      deleted = new Set(ids.filter((id) => !kept.includes(id)));
      // Deleted conversations leave the list, so a page without kept ones is read again from the same cursor.
      if (kept.length > 0) [isKept, after] = [true, ids.at(-1)!];
    }
    if (isKept) await this.postpone(owner);
    else await this.streams.execute(closedApi, closedApiStream(owner.apiId), { type: 'Finish' });
  }

  /** Deletes the conversations whose holds have ended. */
  async deletePostponed(): Promise<void> {
    await this.postponed.run(
      async (after) => pageOf(await this.queries.execute(new PostponedRemovals(after, READ_AT_ONCE)), READ_AT_ONCE, ({ api_id }) => api_id),
      ({ api_id: apiId, user_id: userId }) => this.deleteConversationsOf({ apiId, userId }),
      { millis: Infinity, isStopping: () => this.isStopping },
    );
  }

  /** False if a hold keeps the conversation. */
  async delete(id: string, owner: ApiOwner): Promise<boolean> {
    if (this.isStopping) throw erasureIncomplete();
    try {
      await this.removal.delete(id, owner);
    } catch (error) {
      if (isOnHold(error)) return false;
      // The program, or the erasure of the owner, has already deleted it.
      if (!isRefusal(error, conversationNotFound())) throw error;
    }
    return true;
  }

  async postpone({ apiId, userId }: ApiOwner): Promise<void> {
    await this.streams.execute(closedApi, closedApiStream(apiId), { type: 'Postpone', userId });
  }
}
