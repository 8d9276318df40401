import { Injectable } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { Clock } from '@parlance/foundation';
import type { Cursor } from '@parlance/read-models';
import { SharesExpiredAt } from '../projections/shares/shares.ts';
import { ConversationShares } from '../workflows/shares/conversation-shares.ts';

/** Removes the snapshots of expired shares, which can no longer be viewed. */
@Injectable()
export class EndSharesWhenTheyExpire {
  /** Where the last page ended, so that items that always fail do not block later ones. Null starts with the first. */
  private after: Cursor | null = null;

  constructor(
    private readonly queries: QueryBus,
    private readonly shares: ConversationShares,
    private readonly clock: Clock,
  ) {}

  async end(): Promise<void> {
    const failures: unknown[] = [];
    const { shares, next } = await this.queries.execute(new SharesExpiredAt(this.clock.now(), this.after));
    this.after = next;
    for (const row of shares) await this.shares.expire(row).catch((error: unknown) => failures.push(error));
    // Failures do not stop the round. A later round tries them again.
    if (failures.length > 0) throw new AggregateError(failures, `${failures.length} expired shares could not be ended`);
  }
}
