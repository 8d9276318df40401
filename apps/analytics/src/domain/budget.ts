import { type Decider, type Decision, type Instant, refuse } from '@parlance/decider';
import {
  type BlockEvent,
  blockOf,
  type Blocks,
  evolveBlocks,
  isOver,
  lentOf,
  MOST_BLOCKS,
  type Period,
  returnableOf,
  type ShrunkBlock,
  shrinking,
  usesOf,
  type UsesOfBlocks,
  type Wish,
} from '@parlance/limits';

export const SCOPES = ['all', 'user', 'group', 'bot', 'key', 'token', 'cost_centre'] as const;
export const MODES = ['soft', 'hard'] as const;

/** The subject that a budget limits, which never changes. */
export interface BudgetSubject {
  readonly scope: (typeof SCOPES)[number];
  /** Null for `all`. */
  readonly scopeId: string | null;
  readonly period: Period;
}

/** Nano-dollars in each period. */
export interface BudgetTerms extends BudgetSubject {
  readonly limit: number;
  readonly mode: (typeof MODES)[number];
}

/** The part of a budget that can change. */
export type ChangingTerms = Pick<BudgetTerms, 'limit' | 'mode'>;

export interface ClosedBlock {
  readonly block: string;
  /** How many uses the borrower counted; null if unknown. */
  readonly uses: number | null;
}

/** The spending in the period, read after the uses of the blocks, and after the state that the decision is based on. */
export interface Spent {
  readonly known: UsesOfBlocks;
  readonly spent: number;
}

export type BudgetCommand =
  /** `ifTerms` here and in the next command: refused if the terms differ now. `ifAbsent`: refused if the budget exists. */
  | { type: 'Set'; terms: BudgetTerms; ifTerms?: ChangingTerms; ifAbsent?: boolean }
  | { type: 'Remove'; ifTerms?: ChangingTerms }
  /** If too little of a hard budget is left, no block is lent. A soft budget always lends. */
  | ({
      type: 'Lend';
      block: string;
      holder: string;
      wish: Wish;
      closed: readonly ClosedBlock[];
      shrunk: readonly ShrunkBlock[];
      firstDay: string;
      now: Instant;
      until: Instant;
    } & Spent)
  | { type: 'Close'; closed: readonly ClosedBlock[]; shrunk: readonly ShrunkBlock[] }
  /** `firstDay`: the first day of the period in which `spent` was spent. */
  | ({ type: 'Settle'; firstDay: string; now: Instant } & Spent);

export type BudgetEvent =
  | ({ type: 'BudgetSet' } & BudgetTerms)
  | { type: 'BudgetRemoved' }
  | ({ type: 'BudgetReached'; firstDay: string; spent: number } & BudgetTerms)
  /** Most of the budget is spent. Not recorded for a period in which the budget was reached. */
  | ({ type: 'BudgetNearlyReached'; firstDay: string; spent: number } & BudgetTerms)
  | BlockEvent;

/** At most `MOST_BLOCKS` blocks, so the state is small however long the stream is. */
export interface Budget {
  readonly terms: BudgetTerms | null;
  /** The subject, even of a removed budget: it can be created again. */
  readonly place: BudgetSubject | null;
  readonly blocks: Blocks;
  /** The first day of the period in which the budget was last reached. */
  readonly reachedIn: string | null;
  /** The first day of the period in which the budget was last nearly reached. */
  readonly nearedIn?: string;
}

/** The percentage of a budget at which it counts as nearly reached. */
export const NEARLY_PERCENT = 80;

export const budgetNotFound = () => refuse('missing', 'budget_not_found', 'There is no such budget.');

/** The refusal of a change by a caller who knows outdated terms. */
export const termsStale = () =>
  refuse('stale', 'version_stale', 'The budget has changed since it was read. Read it again, then repeat the change.');

/** The refusal of a budget that should only be created, but exists. */
const budgetExists = () =>
  refuse('stale', 'budget_exists', 'This budget already exists. Read it, then change it, or create one with another period or ID.');

export const budget: Decider<BudgetCommand, BudgetEvent, Budget> = {
  initialState: { terms: null, place: null, blocks: {}, reachedIn: null },
  snapshots: { every: 50, shape: 'budget-2' },

  decide(command, state) {
    if ('ifTerms' in command && command.ifTerms && !isSame(state.terms, command.ifTerms)) return termsStale();
    switch (command.type) {
      case 'Set':
        return command.ifAbsent === true && state.terms ? budgetExists() : set(command.terms, state);
      case 'Remove':
        if (!state.place) return budgetNotFound();
        return state.terms ? [{ type: 'BudgetRemoved' }] : [];
      case 'Lend':
        return lend(command, state);
      case 'Close':
        return [...shrinking(command.shrunk, state.blocks), ...closing(command.closed, state.blocks)];
      case 'Settle':
        return [...settling(state.blocks, command.known, command.now), ...nearing(command, state)];
    }
  },

  evolve(state, event) {
    switch (event.type) {
      case 'BudgetSet': {
        const { type: _, ...terms } = event;
        const { scope, scopeId, period } = terms;
        const { nearedIn: _nearedIn, ...others } = state;
        return { ...others, terms, place: { scope, scopeId, period }, reachedIn: null };
      }
      case 'BudgetRemoved':
        return { ...state, terms: null, blocks: {} };
      case 'BudgetReached':
        return { ...state, reachedIn: event.firstDay };
      case 'BudgetNearlyReached':
        return { ...state, nearedIn: event.firstDay };
      case 'BlockLent':
      case 'BlockClosed':
      case 'BlockSettled':
        return { ...state, blocks: evolveBlocks(state.blocks, event) };
    }
  },
};

const isSame = (before: BudgetTerms | null, { limit, mode }: ChangingTerms): boolean => before?.limit === limit && before.mode === mode;

function set(terms: BudgetTerms, { terms: before, place }: Budget): Decision<BudgetEvent> {
  const { scope, scopeId, period } = place ?? terms;
  if (terms.scope !== scope || terms.scopeId !== scopeId || terms.period !== period)
    return refuse('conflict', 'budget_of_another_scope', 'This budget limits something else. Leave out the id to create another budget.');
  return isSame(before, terms) ? [] : [{ type: 'BudgetSet', ...terms }];
}

function lend(command: Extract<BudgetCommand, { type: 'Lend' }>, state: Budget): Decision<BudgetEvent> {
  const { block, holder, wish, firstDay, until, spent, known, now } = command;
  if (!state.terms) return budgetNotFound();
  if (state.blocks[block]) return [];
  const events: BudgetEvent[] = [...shrinking(command.shrunk, state.blocks), ...closing(command.closed, state.blocks)];
  events.push(...settling(events.reduce(withBlocks, state.blocks), known, now));
  const blocks = events.reduce(withBlocks, state.blocks);
  if (Object.keys(blocks).length >= MOST_BLOCKS)
    return refuse('unavailable', 'budget_busy', 'Too many replies are waiting for this budget. Try again in a second.', { retry_after: 1 });
  const amount = blockOf({ limit: state.terms.limit, spent, known, isExact: true }, blocks, wish);
  if (amount !== null) events.push(...nearing(command, state));
  else if (mayBecomeEnough(state.terms, blocks, command, command)) return events;
  else if (state.reachedIn !== firstDay) events.push({ type: 'BudgetReached', ...state.terms, firstDay, spent });
  const beyond = state.terms.mode === 'soft' ? Math.max(wish.needed, wish.wanted) : null;
  const lent = amount ?? beyond;
  return lent === null ? events : [...events, { type: 'BlockLent', block, holder, amount: lent, until }];
}

/** Whether a hard budget lacks an amount only because other processes hold it without need. It is not known yet whether the budget is used up. */
export function mayBecomeEnough(
  terms: BudgetTerms,
  blocks: Blocks,
  spent: Spent,
  { holder, wish }: { readonly holder: string; readonly wish: Wish },
): boolean {
  return terms.mode === 'hard' && leftOf(terms, blocks, spent) + returnableOf(blocks, spent.known, holder) >= wish.needed;
}

/**
 * The event that a budget is nearly reached, once in a period. Costs that exceed the complete limit at once only cause the event that it
 * is reached.
 */
function nearing({ firstDay, spent }: Pick<Spent, 'spent'> & { readonly firstDay: string }, state: Budget): BudgetEvent[] {
  const { terms, reachedIn, nearedIn } = state;
  if (!terms || reachedIn === firstDay || nearedIn === firstDay) return [];
  const isNear = spent * 100 >= terms.limit * NEARLY_PERCENT && spent < terms.limit;
  return isNear ? [{ type: 'BudgetNearlyReached', ...terms, firstDay, spent }] : [];
}

const closing = (closed: readonly ClosedBlock[], blocks: Blocks): BudgetEvent[] =>
  closed.flatMap(({ block, uses }) => {
    const state = blocks[block];
    return state && state.uses === undefined ? [{ type: 'BlockClosed', block, uses } as const] : [];
  });

const settling = (blocks: Blocks, known: UsesOfBlocks, now: Instant): BudgetEvent[] =>
  Object.entries(blocks).flatMap(([block, state]) => {
    const uses = usesOf(known, block);
    return isOver(state, uses, now) ? [{ type: 'BlockSettled', block, spent: uses.spent } as const] : [];
  });

const withBlocks = (blocks: Blocks, event: BudgetEvent): Blocks => evolveBlocks(blocks, event as BlockEvent);

/** The rest of a budget for new blocks; negative when a soft budget is exceeded. */
export const leftOf = ({ limit }: BudgetTerms, blocks: Blocks, { spent, known }: Spent): number => limit - spent - lentOf(blocks, known);

export const budgetStream = (budgetId: string) => `budget-${budgetId}`;
