import { Injectable } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { Instant } from '@parlance/decider';
import { Clock, PagedRounds } from '@parlance/foundation';
import type { Cursor } from '@parlance/read-models';
import { type ErasedUserRow, OpenErasures } from '../projections/users.ts';
import { Erasure } from '../workflows/erasure.ts';

/** Longer than processes remember keys, and longer than requests last. */
const AFTER_MILLIS = 15 * 60_000;
const ERASED_AT_ONCE = 20;
/** After an upgrade, all users who were ever erased are due. */
const ROUND_MILLIS = 20_000;

/**
 * Erases users in all services once more, some time after their erasure. This also finishes an erasure whose receipt said `pending`, and removes
 * what a request that began before the erasure has written after it.
 */
@Injectable()
export class RepeatErasures {
  private readonly rounds = new PagedRounds<ErasedUserRow, Cursor>('erasures could not be repeated', ({ user_id }) => user_id);

  constructor(
    private readonly erasure: Erasure,
    private readonly queries: QueryBus,
    private readonly clock: Clock,
  ) {}

  repeat(): Promise<void> {
    const before = Instant.plus(this.clock.now(), -AFTER_MILLIS);
    return this.rounds.run(
      (after) => this.queries.execute(new OpenErasures(before, after, ERASED_AT_ONCE)),
      ({ user_id }) => this.erasure.repeat(user_id),
      { millis: ROUND_MILLIS },
    );
  }
}
