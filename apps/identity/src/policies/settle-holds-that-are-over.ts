import { Injectable } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { Instant } from '@parlance/decider';
import { Clock } from '@parlance/foundation';
import { type HoldRow, HoldsInStatus } from '../projections/holds.ts';
import { Holds } from '../workflows/holds/holds.ts';

/** A request that began less long ago may still place its hold. */
const GRACE_SECONDS = 60;
/** The most holds that one round settles. */
const SETTLED_AT_ONCE = 100;

type Settled = 'requested' | 'ending';

/** Removes holds that ended while a service could not be reached, and holds whose request was interrupted. */
@Injectable()
export class SettleHoldsThatAreOver {
  /** Where the last pages ended: holds that cannot be settled do not block later ones. Null begins with the first. */
  private readonly after: Record<Settled, string | null> = { requested: null, ending: null };

  constructor(
    private readonly holds: Holds,
    private readonly queries: QueryBus,
    private readonly clock: Clock,
  ) {}

  async settle(): Promise<void> {
    const failures: unknown[] = [];
    const attempt = (work: Promise<void>) => work.catch((error: unknown) => failures.push(error));
    const brokeOffBefore = Instant.toSeconds(this.clock.now()) - GRACE_SECONDS;
    for (const { hold_id, create_time } of await this.page('requested'))
      if (create_time < brokeOffBefore) await attempt(this.holds.withdraw(hold_id));
    for (const { hold_id } of await this.page('ending')) await attempt(this.holds.settle(hold_id));
    // A later round tries these again.
    if (failures.length > 0) throw new AggregateError(failures, `${failures.length} holds could not be settled`);
  }

  private async page(status: Settled): Promise<readonly HoldRow[]> {
    const rows = await this.queries.execute(new HoldsInStatus(status, this.after[status], SETTLED_AT_ONCE));
    this.after[status] = rows.length < SETTLED_AT_ONCE ? null : rows.at(-1)!.hold_id;
    return rows;
  }
}
