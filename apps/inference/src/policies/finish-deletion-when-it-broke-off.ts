import { Injectable } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { Instant } from '@parlance/decider';
import { Clock } from '@parlance/foundation';
import type { Cursor } from '@parlance/read-models';
import { DeletionsBegun } from '../projections/conversations.ts';
import { ConversationRemoval } from '../workflows/conversation-removal.ts';

/** A deletion that began less long ago is mostly still being done by its request. */
const GRACE_MILLIS = 60_000;

/** A conversation that its user has deleted goes, also when the process that removed it died. */
@Injectable()
export class FinishDeletionWhenItBrokeOff {
  /** Where the last page ended: items that fail for good do not hold up those behind them. Null begins with the first. */
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
    // The others were not held up by these, which a later round takes up again.
    if (failures.length > 0) throw new AggregateError(failures, `${failures.length} deletions could not be finished`);
  }
}
