import { Injectable } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { Instant } from '@parlance/decider';
import { allEnded, Clock, PagedRounds, pageOf } from '@parlance/foundation';
import { type HoldRow, HoldsInStatus } from '../projections/holds.ts';
import { Holds } from '../workflows/holds/holds.ts';

/** A request that began less than this long ago may still place its hold. */
const GRACE_SECONDS = 60;
/** The most holds that one round settles. */
const SETTLED_AT_ONCE = 100;

type Settled = 'requested' | 'ending';

/** Removes holds that ended while a service could not be reached, and holds whose request was interrupted. */
@Injectable()
export class SettleHoldsThatAreOver {
  private readonly rounds = { requested: rounds(), ending: rounds() };

  constructor(
    private readonly holds: Holds,
    private readonly queries: QueryBus,
    private readonly clock: Clock,
  ) {}

  async settle(): Promise<void> {
    const brokeOffBefore = Instant.toSeconds(this.clock.now()) - GRACE_SECONDS;
    await allEnded([
      this.round('requested', async ({ hold_id, create_time }) => {
        if (create_time < brokeOffBefore) await this.holds.withdraw(hold_id);
      }),
      this.round('ending', ({ hold_id }) => this.holds.settle(hold_id)),
    ]);
  }

  private round(status: Settled, handle: (row: HoldRow) => Promise<void>): Promise<void> {
    const read = async (after: string | null) =>
      pageOf(await this.queries.execute(new HoldsInStatus(status, after, SETTLED_AT_ONCE)), SETTLED_AT_ONCE, ({ hold_id }) => hold_id);
    return this.rounds[status].run(read, handle);
  }
}

const rounds = () => new PagedRounds<HoldRow, string>('holds could not be settled', ({ hold_id }) => hold_id);
