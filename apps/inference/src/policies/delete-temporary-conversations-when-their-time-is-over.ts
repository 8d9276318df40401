import { Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { Config } from '@parlance/config';
import { Instant, Refusal } from '@parlance/decider';
import { Clock, Timers } from '@parlance/foundation';
import type { Cursor } from '@parlance/read-models';
import { conversationNotFound } from '../domain/conversation-refusals.ts';
import { TemporaryUntil } from '../projections/conversations.ts';
import { ConversationRemoval } from '../workflows/conversation-removal.ts';

const EVERY_MILLIS = 10_000;
const HOUR_MILLIS = 3_600_000;

/**
 * A temporary conversation goes some hours after its last message. One round deletes a bounded number, one after another, so that other work
 * goes on between. Several processes may do the same: each step has its effect once.
 */
@Injectable()
export class DeleteTemporaryConversationsWhenTheirTimeIsOver implements OnApplicationBootstrap {
  private readonly keptMillis: number;
  /** Where the last page ended: items that fail for good, or that a hold keeps, do not hold up those behind them. Null begins with the first. */
  private after: Cursor | null = null;

  constructor(
    private readonly queries: QueryBus,
    private readonly removal: ConversationRemoval,
    private readonly timers: Timers,
    private readonly clock: Clock,
    { temporaryChatHours }: Config,
  ) {
    this.keptMillis = temporaryChatHours * HOUR_MILLIS;
  }

  onApplicationBootstrap(): void {
    this.timers.every(EVERY_MILLIS, 'delete temporary conversations', () => this.delete());
  }

  async delete(): Promise<void> {
    const until = Instant.plus(this.clock.now(), -this.keptMillis);
    const { rows, next } = await this.queries.execute(new TemporaryUntil(until, this.after));
    this.after = next;
    const failures: unknown[] = [];
    for (const { conversation_id, user_id, last_message_id } of rows)
      await this.removal.expire(conversation_id, user_id, last_message_id).catch((error: unknown) => failures.push(error));
    const left = failures.filter((error) => !(error instanceof Refusal && error.code === conversationNotFound().code));
    // The others were not held up by these, which a later round takes up again.
    if (left.length > 0) throw new AggregateError(left, `${left.length} temporary conversations could not be deleted`);
  }
}
