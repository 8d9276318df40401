import { Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { Instant } from '@parlance/decider';
import { Clock, Timers } from '@parlance/foundation';
import { HoldsInStatus } from '../projections/holds.ts';
import { Holds } from '../workflows/holds/holds.ts';

const EVERY_MILLIS = 20_000;
/** A request that began less long ago may still place its hold. */
const GRACE_SECONDS = 60;
/** Holds that one round settles. */
const SETTLED_AT_ONCE = 100;

/** Takes holds away that have ended while a service could not be reached, and those whose request broke off. */
@Injectable()
export class SettleHoldsThatAreOver implements OnApplicationBootstrap {
  constructor(
    private readonly holds: Holds,
    private readonly queries: QueryBus,
    private readonly timers: Timers,
    private readonly clock: Clock,
  ) {}

  onApplicationBootstrap(): void {
    this.timers.every(EVERY_MILLIS, 'settle holds that are over', () => this.settle());
  }

  async settle(): Promise<void> {
    const failures: unknown[] = [];
    const attempt = (work: Promise<void>) => work.catch((error: unknown) => failures.push(error));
    const brokeOffBefore = Instant.toSeconds(this.clock.now()) - GRACE_SECONDS;
    for (const { hold_id, create_time } of await this.queries.execute(new HoldsInStatus('requested', null, SETTLED_AT_ONCE)))
      if (create_time < brokeOffBefore) await attempt(this.holds.withdraw(hold_id));
    for (const { hold_id } of await this.queries.execute(new HoldsInStatus('ending', null, SETTLED_AT_ONCE)))
      await attempt(this.holds.settle(hold_id));
    // The next round takes these up again.
    if (failures.length > 0) throw new AggregateError(failures, `${failures.length} holds could not be settled`);
  }
}
