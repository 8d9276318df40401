import { Injectable } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { nextTurn } from '@parlance/event-loop';
import { erasureIncomplete, Streams } from '@parlance/foundation';
import { ShutdownPlan } from '@parlance/observability';
import { closedApi, closedApiStream } from '../../domain/closed-api.ts';
import { holderOf } from '../../domain/conversation-holder.ts';
import { conversationNotFound, isOnHold, isRefusal } from '../../domain/conversation-refusals.ts';
import { ConversationsHeldBy } from '../../projections/content-of-user.ts';
import { type PostponedRemovalRow, PostponedRemovals } from '../../projections/postponed-removals.ts';
import { ConversationRemoval, DELETED_AT_ONCE } from '../conversation-removal.ts';
import { HoldsOnConversations } from './holds-on-conversations.ts';

/** A published API of a user. */
export interface ApiHolder {
  readonly userId: string;
  readonly apiId: string;
}

/** Removed publications of one read. */
const READ_AT_ONCE = 100;

/** Deletes the conversations of removed publications. Those on hold are left, and deleted when the hold is over. */
@Injectable()
export class RemovedPublications {
  private isStopping = false;

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

  /** Rejects with `erasure_incomplete` (unavailable) when the process stops, or when the rows are behind. */
  async deleteConversationsOf(holder: ApiHolder): Promise<void> {
    // Recorded first: the rest is found again if this breaks off.
    if ((await this.holds.on('user', holder.userId)).length > 0) return this.postpone(holder);
    let deleted: ReadonlySet<string> = new Set();
    let after: string | null = null;
    let isKept = false;
    for (;;) {
      const ids: readonly string[] = await this.queries.execute(new ConversationsHeldBy(holderOf(holder), after));
      if (ids.some((id) => deleted.has(id))) throw erasureIncomplete();
      if (ids.length === 0) break;
      const kept: string[] = [];
      for (let from = 0; from < ids.length; from += DELETED_AT_ONCE) {
        await nextTurn();
        await Promise.all(
          ids.slice(from, from + DELETED_AT_ONCE).map(async (id) => {
            if (!(await this.delete(id, holder))) kept.push(id);
          }),
        );
      }
      deleted = new Set(ids.filter((id) => !kept.includes(id)));
      // Pages of deleted conversations are read again from the same place.
      if (kept.length > 0) [isKept, after] = [true, ids.at(-1)!];
    }
    if (isKept) await this.postpone(holder);
    else await this.streams.execute(closedApi, closedApiStream(holder.apiId), { type: 'Finish' });
  }

  /** Takes up those that a hold has kept. */
  async deletePostponed(): Promise<void> {
    const failures: unknown[] = [];
    for (let after: string | null = null; ;) {
      const rows: readonly PostponedRemovalRow[] = await this.queries.execute(new PostponedRemovals(after, READ_AT_ONCE));
      for (const { api_id: apiId, user_id: userId } of rows)
        await this.deleteConversationsOf({ apiId, userId }).catch((error: unknown) => failures.push(error));
      if (rows.length < READ_AT_ONCE || this.isStopping) break;
      after = rows.at(-1)!.api_id;
    }
    if (failures.length > 0)
      throw new AggregateError(failures, `the conversations of ${failures.length} publications could not be deleted`);
  }

  /** False if a hold keeps the conversation. */
  async delete(id: string, holder: ApiHolder): Promise<boolean> {
    if (this.isStopping) throw erasureIncomplete();
    try {
      await this.removal.delete(id, holder);
    } catch (error) {
      if (isOnHold(error)) return false;
      // The program, or the erasure of the owner, was faster.
      if (!isRefusal(error, conversationNotFound())) throw error;
    }
    return true;
  }

  async postpone({ apiId, userId }: ApiHolder): Promise<void> {
    await this.streams.execute(closedApi, closedApiStream(apiId), { type: 'Postpone', userId });
  }
}
