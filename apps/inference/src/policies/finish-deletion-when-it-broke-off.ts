import { Injectable } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { Instant } from '@parlance/decider';
import { Clock } from '@parlance/foundation';
import type { Cursor } from '@parlance/read-models';
import { DeletionsBegun } from '../projections/conversations.ts';
import { ConversationRemoval } from '../workflows/conversation-removal.ts';

/** A more recent deletion is usually still running in its request. */
const GRACE_MILLIS = 60_000;

/** Finishes the deletion of a conversation when the process that removed it has crashed. */
@Injectable()
export class FinishDeletionWhenItBrokeOff {
  /** Where the last page ended, so that items that always fail do not block later ones. Null starts with the first. */
  private after: Cursor | null = null;

  constructor(
    private readonly queries: QueryBus,
    private readonly removal: ConversationRemoval,
    private readonly clock: Clock,
  ) {}

  async finish(): Promise<void> {
    const until = Instant.plus(this.clock.now(), -GRACE_MILLIS);
    const { rows: begun, next } = await this.queries.execute(new DeletionsBegun(until, this.after));
    this.after = next;
    const failures: unknown[] = [];
    for (const { conversation_id, user_id } of begun)
      await this.removal.erase(conversation_id, user_id).catch((error: unknown) => failures.push(error));
    // Failures do not stop the round. A later round tries them again.
    if (failures.length > 0) throw new AggregateError(failures, `${failures.length} deletions could not be finished`);
  }
}
