import { Injectable } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { Clock } from '@parlance/foundation';
import { Instant } from '@parlance/decider';
import { type Window, windowBefore } from '../domain/window.ts';
import { FiguresOfSome } from '../projections/in-window/costs-in-window.ts';
import { SomeOfMonth } from '../projections/in-window/usage-counts.ts';
import { FiguresOfKeys } from '../projections/in-window/usage-in-window.ts';
import { firstMonthKept } from '@parlance/contracts';

interface Amounts {
  readonly nano_dollars: number;
  readonly corrections?: number;
}

/** The cost of users, bots and API keys in the period directly before a window. */
@Injectable()
export class EarlierAmounts {
  constructor(
    private readonly queries: QueryBus,
    private readonly clock: Clock,
  ) {}

  /** The amounts by ID, without IDs that had no costs. Null if the period is not a month and its days are no longer kept. */
  async of(scope: 'user' | 'bot' | 'key', ids: readonly string[], window: Window): Promise<ReadonlyMap<string, Amounts> | null> {
    const before = windowBefore(window);
    if (ids.length === 0) return new Map();
    if (before.month !== undefined) return this.queries.execute(new SomeOfMonth(scope, before.month, ids));
    if (before.from.slice(0, 7) < firstMonthKept(Instant.toString(this.clock.now()))) return null;
    return scope === 'key' ? this.queries.execute(new FiguresOfKeys(before)) : this.queries.execute(new FiguresOfSome(scope, ids, before));
  }
}
