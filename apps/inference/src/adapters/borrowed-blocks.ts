import { Injectable } from '@nestjs/common';
import { HARMLESS, ServiceCalls } from '@parlance/calls';
import { newId } from '@parlance/event-store';
import { Clock } from '@parlance/foundation';
import { BlockHolder } from '@parlance/limits';

/** What analytics reports with a block. */
export interface BlockFacts {
  /** Whether the soft budget is exceeded. */
  readonly isBeyond: boolean;
  /** When the budget's next period begins, in epoch seconds. */
  readonly resetsAt: number;
}

interface Answer {
  readonly block: string;
  readonly amount: number;
  readonly usable_millis: number;
  readonly is_beyond: boolean;
  readonly resets_at: number;
}

/**
 * The blocks of budgets that this process has borrowed from analytics. `take` throws `budget_exceeded` (limited), `budget_not_found`
 * (missing), and refusals of the kind unavailable when analytics cannot answer.
 */
@Injectable()
export class BorrowedBlocks extends BlockHolder<BlockFacts> {
  constructor(calls: ServiceCalls, clock: Clock) {
    const holder = newId();
    super(
      {
        async lend(budgetId, request) {
          const lent = await calls.post<Answer>('analytics', `/internal/budgets/${budgetId}/lend`, { holder, ...request }, HARMLESS);
          const facts = { isBeyond: lent.is_beyond, resetsAt: lent.resets_at };
          return { block: lent.block, amount: lent.amount, usableMillis: lent.usable_millis, facts };
        },
        close: (budgetId, closed) => calls.post('analytics', `/internal/budgets/${budgetId}/close`, { closed }, HARMLESS),
      },
      () => clock.steady(),
    );
  }
}
