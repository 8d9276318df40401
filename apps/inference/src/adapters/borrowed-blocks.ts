import { Injectable } from '@nestjs/common';
import { HARMLESS, ServiceCalls } from '@parlance/calls';
import { newId } from '@parlance/event-store';
import { Clock } from '@parlance/foundation';
import { Refusal } from '@parlance/decider';
import { BlockHolder, type Shrunk } from '@parlance/limits';

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

/** The body of a call to analytics. */
interface Told {
  readonly shrunk?: readonly Shrunk[];
  readonly [field: string]: unknown;
}

/**
 * The blocks of budgets that this process has borrowed from analytics. `take` throws `budget_exceeded` (limited), `budget_not_found`
 * (missing), and refusals of the kind unavailable when analytics cannot answer.
 */
@Injectable()
export class BorrowedBlocks extends BlockHolder<BlockFacts> {
  constructor(calls: ServiceCalls, clock: Clock) {
    const holder = newId();
    // While analytics runs an earlier release, it does not know them.
    let takesShrunk = true;
    const tell = async <Result>(path: string, { shrunk = [], ...body }: Told): Promise<Result> => {
      try {
        return await calls.post<Result>('analytics', path, { ...body, ...(takesShrunk && shrunk.length > 0 && { shrunk }) }, HARMLESS);
      } catch (error) {
        if (!takesShrunk || shrunk.length === 0 || !(error instanceof Refusal && error.kind === 'invalid')) throw error;
        takesShrunk = false;
        return calls.post<Result>('analytics', path, body, HARMLESS);
      }
    };
    super(
      {
        async lend(budgetId, request) {
          const lent = await tell<Answer>(`/internal/budgets/${budgetId}/lend`, { holder, ...request });
          const facts = { isBeyond: lent.is_beyond, resetsAt: lent.resets_at };
          return { block: lent.block, amount: lent.amount, usableMillis: lent.usable_millis, facts };
        },
        close: (budgetId, closed, shrunk) => tell(`/internal/budgets/${budgetId}/close`, { closed, shrunk }),
        get takesShrunk() {
          return takesShrunk;
        },
      },
      () => clock.steady(),
    );
  }
}
