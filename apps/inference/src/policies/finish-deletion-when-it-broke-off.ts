import { Injectable } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { Instant } from '@parlance/decider';
import { Clock, PagedRounds } from '@parlance/foundation';
import type { Cursor } from '@parlance/read-models';
import type { DeletionRow } from '../projections/conversation-list.ts';
import { DeletionsBegun } from '../projections/conversations.ts';
import { ConversationRemoval } from '../workflows/conversation-removal.ts';

/** A more recent deletion is usually still running in its request. */
const GRACE_MILLIS = 60_000;

/** Finishes the deletion of a conversation when the process that removed it has crashed. */
@Injectable()
export class FinishDeletionWhenItBrokeOff {
  private readonly rounds = new PagedRounds<DeletionRow, Cursor>(
    'deletions could not be finished',
    ({ conversation_id }) => conversation_id,
  );

  constructor(
    private readonly queries: QueryBus,
    private readonly removal: ConversationRemoval,
    private readonly clock: Clock,
  ) {}

  async finish(): Promise<void> {
    const until = Instant.plus(this.clock.now(), -GRACE_MILLIS);
    await this.rounds.run(
      (after) => this.queries.execute(new DeletionsBegun(until, after)),
      ({ conversation_id, user_id }) => this.removal.erase(conversation_id, user_id),
    );
  }
}
