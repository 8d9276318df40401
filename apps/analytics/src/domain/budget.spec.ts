import { describe, expect, it } from '@jest/globals';
import { fold, Instant } from '@parlance/decider';
import { specify } from '@parlance/decider/specify';
import { MOST_BLOCKS } from '@parlance/limits';
import { budget, type BudgetCommand, type BudgetEvent, type BudgetTerms, leftOf } from './budget.ts';

const given = specify(budget);
const noon = Instant.parse('2026-01-01T12:00:00Z');
const until = Instant.plus(noon, 60_000);
const terms: BudgetTerms = { scope: 'user', scopeId: 'ann', period: 'DAY', limit: 1_000, mode: 'hard' };
const set = (more: Partial<BudgetTerms> = {}): BudgetEvent => ({ type: 'BudgetSet', ...terms, ...more });
const lent = (block: string, amount = 100): BudgetEvent => ({ type: 'BlockLent', block, holder: 'h', amount, until });
const closed = (block: string, uses: number | null): BudgetEvent => ({ type: 'BlockClosed', block, uses });
const settled = (block: string, spent: number): BudgetEvent => ({ type: 'BlockSettled', block, spent });
const reached = (spent: number, more: Partial<BudgetTerms> = {}): BudgetEvent => {
  return { type: 'BudgetReached', ...terms, ...more, firstDay: '2026-01-01', spent };
};
const neared = (spent: number, more: Partial<BudgetTerms> = {}): BudgetEvent => {
  return { type: 'BudgetNearlyReached', ...terms, ...more, firstDay: '2026-01-01', spent };
};
const lend = (more: Partial<Extract<BudgetCommand, { type: 'Lend' }>> = {}): BudgetCommand => ({
  type: 'Lend',
  block: 'new',
  holder: 'h',
  wish: { needed: 100, wanted: 100 },
  closed: [],
  shrunk: [],
  firstDay: '2026-01-01',
  now: noon,
  until,
  known: {},
  spent: 0,
  ...more,
});
const settle = (spent: number, known = {}): BudgetCommand => ({ type: 'Settle', known, spent, firstDay: '2026-01-01', now: noon });
const uses = (begun: number, ended: number, spent: number) => ({ begun, ended, spent });

describe('setting a budget', () => {
  it('creates the budget', () => given().when({ type: 'Set', terms }).emits(set()));
  it('is refused if the terms differ from those the caller knows', () => {
    const changed = { ...terms, limit: 5 };
    given(set())
      .when({ type: 'Set', terms: changed, ifTerms: { limit: 1_000, mode: 'hard' } })
      .emits({ type: 'BudgetSet', ...changed });
    for (const ifTerms of [{ limit: 999, mode: 'hard' } as const, { limit: 1_000, mode: 'soft' } as const]) {
      given(set()).when({ type: 'Set', terms: changed, ifTerms }).refuses('version_stale');
      given(set()).when({ type: 'Remove', ifTerms }).refuses('version_stale');
    }
  });
  it('is refused if the budget exists and the caller only wants to create it', () => {
    for (const its of [terms, { ...terms, limit: 5 }])
      given(set()).when({ type: 'Set', terms: its, ifAbsent: true }).refuses('budget_exists');
    given().when({ type: 'Set', terms, ifAbsent: true }).emits(set());
    given(set(), { type: 'BudgetRemoved' }).when({ type: 'Set', terms, ifAbsent: true }).emits(set());
  });
  it('replaces limit and mode', () => {
    const changed = { ...terms, limit: 5, mode: 'soft' } as const;
    given(set())
      .when({ type: 'Set', terms: changed })
      .emits({ type: 'BudgetSet', ...changed });
  });
  it('does nothing when repeated', () => given(set()).when({ type: 'Set', terms }).emits());
  it.each([{ scope: 'bot' }, { scopeId: 'ben' }, { period: 'WEEK' }] as const)('refuses another subject: %j', (other) =>
    given(set())
      .when({ type: 'Set', terms: { ...terms, ...other } })
      .refuses('budget_of_another_scope'),
  );
  it('creates a removed budget again', () => given(set(), { type: 'BudgetRemoved' }).when({ type: 'Set', terms }).emits(set()));
  it('refuses another subject for a removed budget too', () =>
    given(set(), { type: 'BudgetRemoved' })
      .when({ type: 'Set', terms: { ...terms, scopeId: 'ben' } })
      .refuses('budget_of_another_scope'));
});

describe('removing a budget', () => {
  it('ends the budget, once', () => {
    given(set()).when({ type: 'Remove' }).emits({ type: 'BudgetRemoved' });
    given(set(), { type: 'BudgetRemoved' }).when({ type: 'Remove' }).emits();
  });
  it('refuses a budget that never existed', () => given().when({ type: 'Remove' }).refuses('budget_not_found'));
  it('forgets the blocks of the budget', () => expect(fold(budget, [set(), lent('a'), { type: 'BudgetRemoved' }]).blocks).toEqual({}));
});

describe('lending a block', () => {
  it('lends what is needed', () => given(set()).when(lend()).emits(lent('new', 125)));
  it('lends nothing if too little is left', () => {
    given().when(lend()).refuses('budget_not_found');
    given(set(), { type: 'BudgetRemoved' }).when(lend()).refuses('budget_not_found');
  });
  it('does nothing when repeated', () => given(set(), lent('new')).when(lend()).emits());
  it('reports once in a period that too little is left', () => {
    given(set())
      .when(lend({ spent: 901 }))
      .emits(reached(901));
    given(set(), reached(901))
      .when(lend({ spent: 901 }))
      .emits();
    given(set(), reached(901))
      .when(lend({ spent: 901, firstDay: '2026-01-02' }))
      .emits({ ...reached(901), firstDay: '2026-01-02' } as BudgetEvent);
  });
  it('reports that again after the budget was replaced', () =>
    given(set(), reached(901), set({ limit: 950 }))
      .when(lend({ spent: 901 }))
      .emits(reached(901, { limit: 950 })));
  it('lends the rest up to the last nano-dollar', () =>
    given(set(), neared(900))
      .when(lend({ spent: 900 }))
      .emits(lent('new', 100)));
  it('always lends from a soft budget', () => {
    given(set({ mode: 'soft' }))
      .when(lend({ spent: 1_500 }))
      .emits(reached(1_500, { mode: 'soft' }), lent('new', 100));
  });
  it('first takes back closed blocks whose uses have ended', () =>
    given(set(), lent('a', 950))
      .when(lend({ closed: [{ block: 'a', uses: 2 }], known: { a: uses(2, 2, 300) }, spent: 300 }))
      .emits(closed('a', 2), settled('a', 300), lent('new', 100)));
  it('keeps closed blocks whose uses have not ended', () =>
    given(set(), lent('a', 950))
      .when(lend({ closed: [{ block: 'a', uses: 2 }], known: { a: uses(2, 1, 10) }, spent: 10 }))
      .emits(closed('a', 2), reached(10)));
  it('closes no block twice, and no settled block', () =>
    given(set(), lent('a'), closed('a', 3), lent('b'), closed('b', 0), settled('b', 0))
      .when(
        lend({
          closed: [
            { block: 'a', uses: 3 },
            { block: 'b', uses: 0 },
          ],
        }),
      )
      .emits(lent('new', 112)));
  it('refuses more blocks than a state may contain', () => {
    const many = Array.from({ length: MOST_BLOCKS }, (_, index) => lent(`b${index}`, 1));
    given(set(), ...many)
      .when(lend({ wish: { needed: 1, wanted: 1 } }))
      .refuses('budget_busy');
  });
});

describe('a budget of which most is spent', () => {
  it('is reported when a block is lent, and when blocks are settled', () => {
    given(set())
      .when(lend({ spent: 800 }))
      .emits(neared(800), lent('new', 100));
    given(set(), lent('a'), closed('a', 1))
      .when(settle(800, { a: uses(1, 1, 40) }))
      .emits(settled('a', 40), neared(800));
  });
  it('is not reported while less is spent', () => {
    given(set()).when(settle(799)).emits();
    given(set())
      .when(lend({ spent: 799 }))
      .emits(lent('new', 100));
  });
  it('is reported once in a period', () => {
    given(set(), neared(800)).when(settle(900)).emits();
    given(set(), neared(800))
      .when({ ...settle(900), firstDay: '2026-01-02' } as BudgetCommand)
      .emits({ ...neared(900), firstDay: '2026-01-02' } as BudgetEvent);
  });
  it('is reported again after the budget was replaced', () =>
    given(set(), neared(800), set({ limit: 1_100 }))
      .when(settle(900))
      .emits(neared(900, { limit: 1_100 })));
  it('is not reported for costs that exceed the whole limit at once, nor after it was reached', () => {
    given(set()).when(settle(1_000)).emits();
    given(set())
      .when(lend({ spent: 1_200 }))
      .emits(reached(1_200));
    given(set({ mode: 'soft' }), reached(950, { mode: 'soft' }))
      .when(settle(950))
      .emits();
    given(set(), { type: 'BudgetRemoved' }).when(settle(900)).emits();
  });
  it('is not reported if the rest is too little for the next block', () =>
    given(set())
      .when(lend({ spent: 901 }))
      .emits(reached(901)));
});

describe('blocks', () => {
  it('are closed when their borrower no longer needs them', () =>
    given(set(), lent('a'))
      .when({ type: 'Close', closed: [{ block: 'a', uses: null }], shrunk: [] })
      .emits(closed('a', null)));
  it('are settled when their lease is over', () =>
    given(set(), lent('a'), closed('a', 1), lent('b'))
      .when(settle(40, { a: uses(1, 1, 40) }))
      .emits(settled('a', 40)));
  it('return what was not spent', () => {
    const { blocks } = fold(budget, [set(), lent('a', 100), lent('b', 50)]);
    expect(leftOf(terms, blocks, { spent: 30, known: { a: uses(1, 1, 30) } })).toBe(1_000 - 30 - 70 - 50);
  });
});
