import { setTimeout as pause } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { Instant, Refusal, refuse } from '@parlance/decider';
import { newId } from '@parlance/event-store';
import { Clock, PagedRounds, Streams } from '@parlance/foundation';
import { etagOf } from '@parlance/http';
import { dayOf, endOf, firstDayOf, isOver, type ShrunkBlock, usesOf, type Wish } from '@parlance/limits';
import { ExecuteBudget } from '../commands/aggregates.ts';
import {
  budget,
  type Budget,
  budgetNotFound,
  budgetStream,
  type BudgetTerms,
  type ClosedBlock,
  leftOf,
  mayBecomeEnough,
  type Spent,
} from '../domain/budget.ts';
import { type BudgetRow, LendingBudgets } from '../projections/budgets.ts';
import { SpentIn, UsesOf } from '../projections/budget-spend.ts';

/** The lease of a block. Its borrower stops using it earlier, so that a message in progress is appended before the lease ends. */
export const LEASE_MILLIS = 60_000;
export const USABLE_MILLIS = 45_000;

/**
 * How often to read and decide again when other processes change the budget meanwhile. Of processes that try at once, one succeeds each time, so
 * this is enough for ten that need a block at the same moment. Further ones are refused with a time to retry, because their messages have
 * already waited 0.2 seconds.
 */
const TRIES_TO_LEND = 10;
/** The longest pause between two tries. Pauses are random, so that the same processes do not collide again. */
const LONGEST_PAUSE_MILLIS = 20;

/** What a process reports about its earlier blocks. */
export interface BlockReports {
  readonly closed: readonly ClosedBlock[];
  readonly shrunk: readonly ShrunkBlock[];
}

export interface LentBlock {
  readonly block: string;
  readonly amount: number;
  readonly usableMillis: number;
  /** Whether a soft budget is exceeded, or will be with this block. */
  readonly isBeyond: boolean;
  readonly resetsAt: Instant;
}

/** Lends blocks of budgets to processes that accept messages, and takes them back when their replies have ended. */
@Injectable()
export class BudgetLending {
  private readonly rounds = new PagedRounds<BudgetRow, never>('budgets could not be settled', ({ id }) => id);

  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
    private readonly streams: Streams,
    private readonly clock: Clock,
  ) {}

  /** Throws the refusals `budget_not_found` (missing), `budget_exceeded` (limited) and `budget_busy` (unavailable). */
  async lend(budgetId: string, holder: string, wish: Wish, reports: BlockReports): Promise<LentBlock> {
    for (let tries = 1; tries <= TRIES_TO_LEND; tries++) {
      try {
        return await this.tryToLend(budgetId, holder, wish, reports);
      } catch (error) {
        if (!(error instanceof Refusal && error.kind === 'stale')) throw error;
        await pause(Math.random() * LONGEST_PAUSE_MILLIS);
      }
    }
    throw busy();
  }

  /**
   * The decision needs the charges of all blocks that have left the state. They are read after the state, and the stream must not change in
   * between: a block that is settled meanwhile would be in neither.
   */
  private async tryToLend(budgetId: string, holder: string, wish: Wish, reports: BlockReports): Promise<LentBlock> {
    const { state, version } = await this.streams.look(budget, budgetStream(budgetId));
    if (!state.terms) throw budgetNotFound();
    const now = this.clock.now();
    const { terms } = state;
    const spent = await this.spent(budgetId, terms, state.blocks, now);
    const block = `${dayOf(now)}-${newId()}`;
    const { state: after } = await this.commands.execute(
      new ExecuteBudget(
        budgetId,
        {
          type: 'Lend',
          block,
          holder,
          wish,
          ...reports,
          firstDay: firstDayOf(terms.period, now),
          now,
          until: Instant.plus(now, LEASE_MILLIS),
          ...spent,
        },
        { ifMatch: etagOf(version) },
      ),
    );
    const resetsAt = endOf(terms.period, now);
    const lent = after.blocks[block];
    if (!lent) throw mayBecomeEnough(terms, after.blocks, spent, { holder, wish }) ? busy() : exceeded(terms, now, resetsAt);
    return { block, amount: lent.amount, usableMillis: USABLE_MILLIS, isBeyond: leftOf(terms, after.blocks, spent) < 0, resetsAt };
  }

  /** Closes blocks of a borrower that needs no other block. */
  async close(budgetId: string, reports: BlockReports): Promise<void> {
    await this.commands.execute(new ExecuteBudget(budgetId, { type: 'Close', ...reports }));
  }

  /** Takes back the blocks whose replies have ended, and those of lost borrowers. */
  async settle(): Promise<void> {
    const now = this.clock.now();
    await this.rounds.run(
      async () => ({ rows: await this.queries.execute(new LendingBudgets()), next: null }),
      async ({ id, blocks, ...terms }) => {
        const uses = await this.queries.execute(new UsesOf(Object.keys(blocks)));
        if (!Object.entries(blocks).some(([block, its]) => isOver(its, usesOf(uses, block), now))) return;
        const spent = await this.spent(id, terms, blocks, now);
        const firstDay = firstDayOf(terms.period, now);
        await this.commands.execute(new ExecuteBudget(id, { type: 'Settle', firstDay, now, ...spent }));
      },
    );
  }

  /** Null for a budget that was removed or never created. */
  async termsOf(budgetId: string): Promise<BudgetTerms | null> {
    return (await this.streams.load(budget, budgetStream(budgetId))).terms;
  }

  /** The spending in the current period. The uses are read first, so that `spent` includes their charges. */
  async spent(budgetId: string, terms: BudgetTerms, blocks: Budget['blocks'], now: Instant): Promise<Spent> {
    const known = await this.queries.execute(new UsesOf(Object.keys(blocks)));
    const spent = await this.queries.execute(new SpentIn(budgetId, terms, firstDayOf(terms.period, now), dayOf(now)));
    return { known, spent };
  }
}

const busy = () =>
  refuse('unavailable', 'budget_busy', 'Too many replies are waiting for this budget. Try again in a second.', { retry_after: 1 });

const ADVERBS = { DAY: 'daily', WEEK: 'weekly', MONTH: 'monthly' } as const;

/** The subject of a budget, as part of a sentence. */
const subjectOf = ({ scope, scopeId }: BudgetTerms): string =>
  ({
    all: 'all users',
    user: 'this user',
    group: `the group ${scopeId}`,
    bot: 'this bot',
    key: 'this API key',
    token: 'this token',
    cost_centre: `the cost centre ${scopeId}`,
  })[scope];

function exceeded(terms: BudgetTerms, now: Instant, resetsAt: Instant): Refusal {
  const { scope, scopeId, period } = terms;
  const at = Instant.toString(resetsAt);
  return refuse(
    'limited',
    'budget_exceeded',
    `The ${ADVERBS[period]} budget of ${subjectOf(terms)} does not have enough left for this message. It starts again at ${at}.`,
    {
      retry_after: (resetsAt - now) / 1_000,
      resets_at: Instant.toSeconds(resetsAt),
      budget: { scope, group: scope === 'group' ? scopeId : null, period },
    },
  );
}
