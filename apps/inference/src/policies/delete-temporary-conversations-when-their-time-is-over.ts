import { Injectable } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { Config } from '@parlance/config';
import { Instant, Refusal } from '@parlance/decider';
import { Clock } from '@parlance/foundation';
import { ShutdownPlan } from '@parlance/observability';
import type { Cursor } from '@parlance/read-models';
import { conversationNotFound } from '../domain/conversation-refusals.ts';
import { TemporaryUntil } from '../projections/conversations.ts';
import { ConversationRemoval } from '../workflows/conversation-removal.ts';
import { Pace } from '../workflows/retention/pace.ts';

const HOUR_MILLIS = 3_600_000;

/** How long one round begins deletions. The next one goes on where it ended. */
const ROUND_MILLIS = 8_000;
/** Failures of one round, which ends with the last of them. */
const MOST_FAILURES = 100;

/**
 * A temporary conversation goes some hours after its last message. Several processes may do the same: each step has its effect once.
 */
@Injectable()
export class DeleteTemporaryConversationsWhenTheirTimeIsOver {
  private readonly keptMillis: number;
  /** Where the last page ended: items that fail for good, or that a hold keeps, do not hold up those behind them. Null begins with the first. */
  private after: Cursor | null = null;
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
    const end = performance.now() + ROUND_MILLIS;
    const failures: unknown[] = [];
    const pace = new Pace();
    do {
      const { rows, next } = await this.queries.execute(new TemporaryUntil(until, this.after));
      for (const { conversation_id, user_id, last_message_id } of rows) {
        if (this.isStopping || failures.length >= MOST_FAILURES) break;
        const expiry = () => this.removal.expire(conversation_id, user_id, last_message_id);
        await pace.begin(() => expiry().catch((error: unknown) => void failures.push(error)));
      }
      await pace.end();
      this.after = next;
    } while (this.after !== null && !this.isStopping && failures.length < MOST_FAILURES && performance.now() < end);
    const left = failures.filter((error) => !(error instanceof Refusal && error.code === conversationNotFound().code));
    // The others were not held up by these, which a later round takes up again.
    if (left.length > 0) throw new AggregateError(left, `${left.length} temporary conversations could not be deleted`);
  }
}
