import { Injectable } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { Config } from '@parlance/config';
import { Instant } from '@parlance/decider';
import { Clock, PagedRounds } from '@parlance/foundation';
import { ShutdownPlan } from '@parlance/observability';
import type { Cursor } from '@parlance/read-models';
import type { TemporaryRow } from '../projections/conversation-list.ts';
import { TemporaryUntil } from '../projections/conversations.ts';
import { ConversationRemoval } from '../workflows/conversation-removal.ts';
import { Pace } from '../workflows/retention/pace.ts';
import { unlessGone } from '../workflows/unless-gone.ts';

const HOUR_MILLIS = 3_600_000;

/** How long one round starts deletions. The next round continues where it ended. */
const ROUND_MILLIS = 8_000;

/**
 * Deletes temporary conversations some hours after their last message. Several processes may run this at once: each step takes effect once.
 */
@Injectable()
export class DeleteTemporaryConversationsWhenTheirTimeIsOver {
  private readonly keptMillis: number;
  private readonly rounds = new PagedRounds<TemporaryRow, Cursor>(
    'temporary conversations could not be deleted',
    ({ conversation_id }) => conversation_id,
  );
  private isStopping = false;

  constructor(
    private readonly queries: QueryBus,
    private readonly removal: ConversationRemoval,
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
    await this.rounds.run(
      (after) => this.queries.execute(new TemporaryUntil(until, after)),
      ({ conversation_id, user_id, last_message_id }) => unlessGone(this.removal.expire(conversation_id, user_id, last_message_id)),
      { millis: ROUND_MILLIS, pace: new Pace(), isStopping: () => this.isStopping },
    );
  }
}
