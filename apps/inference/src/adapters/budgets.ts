import { Injectable } from '@nestjs/common';
import { Refusal } from '@parlance/decider';
import { isTransient } from '@parlance/http';
import type { Taken } from '@parlance/limits';
import type { KnownBudget } from '../projections/known-budgets.ts';
import { ApplyingBudgets, type Payer } from './applying-budgets.ts';
import { type BlockFacts, BorrowedBlocks } from './borrowed-blocks.ts';

/** A message's reservation in the budgets that apply to it. `keep`, `release` or `doubt` must be called. Only the first call counts. */
export interface Reservation {
  /** Recorded in the events of the message and its reply, each as `<budget>/<block>`. */
  readonly marks: readonly string[];
  /** A sentence for the user when a soft budget is exceeded. */
  readonly warning: string | null;
  keep(): void;
  release(): void;
  doubt(): void;
  /** After `keep`: what was reserved has this final cost, which is recorded. The rest can be spent again. */
  settle(cost: number): void;
}

type TakenOf = Taken<BlockFacts> & { readonly budget: KnownBudget };

/** Used if no budget applies. */
export const NO_RESERVATION: Reservation = {
  marks: [],
  warning: null,
  keep: () => undefined,
  release: () => undefined,
  doubt: () => undefined,
  settle: () => undefined,
};

/** Reserves the cost of a reply before its message is accepted. */
@Injectable()
export class Budgets {
  constructor(
    private readonly applying: ApplyingBudgets,
    private readonly blocks: BorrowedBlocks,
  ) {}

  /**
   * `cost`: the most that the reply may cost, in nano-dollars. Called only if a budget applies. Throws `budget_exceeded` (limited) when too little
   * is left of a hard budget, and a refusal of the kind unavailable when that cannot be determined. Soft budgets refuse nothing.
   */
  async reserve(payer: Payer, cost: () => Promise<number>): Promise<Reservation> {
    const budgets = await this.applying.to(payer);
    if (budgets.length === 0) return NO_RESERVATION;
    return this.reserveIn(budgets, await cost());
  }

  /** Reserves the cost of another call of a reply, in the budgets that applied to its message. */
  async reserveAgain(marks: readonly string[], cost: number): Promise<Reservation> {
    return this.reserveIn(await this.applying.named(marks.map((mark) => mark.split('/')[0]!)), cost);
  }

  private async reserveIn(budgets: readonly KnownBudget[], amount: number): Promise<Reservation> {
    if (amount <= 0) return NO_RESERVATION;
    const results = await Promise.allSettled(budgets.map((budget) => this.take(budget, amount)));
    const taken = results.flatMap((result) => (result.status === 'fulfilled' && result.value ? [result.value] : []));
    const failed = results.filter((result) => result.status === 'rejected').map(({ reason }) => reason as unknown);
    if (failed.length > 0) {
      for (const { take } of taken) take.giveBack();
      // A used-up budget is reported rather than a temporary error, because it stays used up for a while.
      throw failed.find((error) => error instanceof Refusal && error.kind === 'limited') ?? failed[0];
    }
    return reservationOf(taken);
  }

  /** Null for a soft budget that cannot be reached, and for a budget that was just removed. */
  private async take(budget: KnownBudget, amount: number): Promise<TakenOf | null> {
    try {
      return { ...(await this.blocks.take(budget.id, amount)), budget };
    } catch (error) {
      if (error instanceof Refusal && error.kind === 'missing') return null;
      if (budget.mode === 'soft' && isTransient(error)) return null;
      throw error;
    }
  }
}

function reservationOf(taken: readonly TakenOf[]): Reservation {
  const each = (end: 'keep' | 'giveBack' | 'doubt') => () => taken.forEach(({ take }) => take[end]());
  const beyond = taken.find(({ facts }) => facts.isBeyond);
  return {
    marks: taken.map(({ budget, take }) => `${budget.id}/${take.block}`),
    warning: beyond ? warningOf(beyond.budget, beyond.facts.resetsAt) : null,
    keep: each('keep'),
    release: each('giveBack'),
    doubt: each('doubt'),
    settle: (cost) => taken.forEach(({ take }) => take.settle(cost)),
  };
}

const SUBJECTS = {
  all: 'all users',
  user: 'this user',
  group: 'a group of this user',
  bot: 'this bot',
  key: 'this API key',
  token: 'this token',
  cost_centre: 'the cost centre of this token',
} as const;

/** A header can only have ASCII, so it names neither the group nor the cost centre. */
const warningOf = ({ scope }: KnownBudget, resetsAt: number): string =>
  `The budget of ${SUBJECTS[scope]} is used up. It starts again at ${new Date(resetsAt * 1_000).toISOString()}.`;

/** Waits for the append of a reservation, and settles the reservation by its outcome. */
export async function settled<Done extends { readonly written: boolean }>(reserved: Reservation, append: Promise<Done>): Promise<Done> {
  try {
    const done = await append;
    // A repeat of an accepted message writes nothing.
    if (done.written) reserved.keep();
    else reserved.release();
    return done;
  } catch (error) {
    // After a database error it is unknown whether the append happened.
    if (error instanceof Refusal && error.kind !== 'unavailable') reserved.release();
    else reserved.doubt();
    throw error;
  }
}
