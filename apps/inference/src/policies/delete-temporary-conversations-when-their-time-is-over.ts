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

/** How long one round starts deletions. The next round continues where it ended. */
const ROUND_MILLIS = 8_000;
/** A round ends after this many failures. */
const MOST_FAILURES = 100;

/**
 * Deletes temporary conversations some hours after their last message. Several processes may run this at once: each step takes effect once.
 */
@Injectable()
export class DeleteTemporaryConversationsWhenTheirTimeIsOver {
  private readonly keptMillis: number;
  /** Where the last page ended, so that items that always fail, or are on hold, do not block later ones. Null starts with the first. */
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
    // Failures do not stop the round. A later round tries them again.
    if (left.length > 0) throw new AggregateError(left, `${left.length} temporary conversations could not be deleted`);
  }
}
