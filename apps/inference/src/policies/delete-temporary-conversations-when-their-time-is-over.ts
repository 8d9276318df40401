import { Injectable } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { Config } from '@parlance/config';
import { Instant } from '@parlance/decider';
import { isTurnOver, nextTurn } from '@parlance/event-loop';
import { Clock, type PageOf, PagedRounds } from '@parlance/foundation';
import { ShutdownPlan } from '@parlance/observability';
import type { Cursor } from '@parlance/read-models';
import { type ExpiredTemporary, TemporaryUntil } from '../projections/conversations.ts';
import { ConversationRemoval } from '../workflows/conversation-removal.ts';
import { HoldsOnConversations } from '../workflows/holds/holds-on-conversations.ts';
import { Pace } from '../workflows/retention/pace.ts';
import { unlessGone } from '../workflows/unless-gone.ts';

const HOUR_MILLIS = 3_600_000;

/** How long one round continues to start deletions. The next round continues where it ended. */
const ROUND_MILLIS = 8_000;

/**
 * Deletes temporary conversations a few hours after their last message. Several processes may run this at once: each step takes effect once.
 */
@Injectable()
export class DeleteTemporaryConversationsWhenTheirTimeIsOver {
  private readonly keptMillis: number;
  private readonly rounds = new PagedRounds<ExpiredTemporary, Cursor>(
    'temporary conversations could not be deleted',
    ({ conversation_id }) => conversation_id,
  );
  private isStopping = false;

  constructor(
    private readonly queries: QueryBus,
    private readonly removal: ConversationRemoval,
    private readonly holds: HoldsOnConversations,
    private readonly clock: Clock,
    shutdown: ShutdownPlan,
    { temporaryChatHours }: Config,
  ) {
    shutdown.stop('consumers', 'inference: deletion of temporary conversations', () => {
      this.isStopping = true;
    });
    this.keptMillis = temporaryChatHours * HOUR_MILLIS;
  }

  async delete(): Promise<void> {
    const until = Instant.plus(this.clock.now(), -this.keptMillis);
    const isKept = this.holds.ofRound();
    await this.rounds.run(
      async (after) => this.withoutKept(await this.queries.execute(new TemporaryUntil(until, after)), isKept),
      ({ conversation_id, user_id, last_message_id }) => unlessGone(this.removal.expire(conversation_id, user_id, last_message_id)),
      { millis: ROUND_MILLIS, pace: new Pace(), isStopping: () => this.isStopping },
    );
  }

  /** A hold may keep thousands of conversations for years. Trying to delete each of them in each round would use up all of the round's time. */
  private async withoutKept(
    { rows, next }: PageOf<ExpiredTemporary, Cursor>,
    isKept: ReturnType<HoldsOnConversations['ofRound']>,
  ): Promise<PageOf<ExpiredTemporary, Cursor>> {
    const others: ExpiredTemporary[] = [];
    for (const row of rows) {
      if (isTurnOver()) await nextTurn();
      // If the holds cannot be read, the deletion of this one fails and is reported.
      const isHeld = row.listed !== null && (await isKept(row.user_id, row.listed.bot_id).catch(() => false));
      if (!isHeld) others.push(row);
    }
    return { rows: others, next };
  }
}
