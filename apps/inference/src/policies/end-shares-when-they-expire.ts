import { Injectable } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { Clock, PagedRounds } from '@parlance/foundation';
import type { Cursor } from '@parlance/read-models';
import { type ShareRow, SharesExpiredAt } from '../projections/shares/shares.ts';
import { ConversationShares } from '../workflows/shares/conversation-shares.ts';

/** Removes the snapshots of expired shares, which can no longer be viewed. */
@Injectable()
export class EndSharesWhenTheyExpire {
  private readonly rounds = new PagedRounds<ShareRow, Cursor>('expired shares could not be ended', ({ share_id }) => share_id);

  constructor(
    private readonly queries: QueryBus,
    private readonly shares: ConversationShares,
    private readonly clock: Clock,
  ) {}

  async end(): Promise<void> {
    await this.rounds.run(
      async (after) => {
        const { shares: rows, next } = await this.queries.execute(new SharesExpiredAt(this.clock.now(), after));
        return { rows, next };
      },
      (row) => this.shares.expire(row),
    );
  }
}
