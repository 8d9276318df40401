import { describe, expect, it } from '@jest/globals';
import { Instant, Refusal, refuse } from '@parlance/decider';
import { BlockHolder, type Lender, type Take, type Uses } from '@parlance/limits';
import fc from 'fast-check';
import { type Budget, budget, type BudgetCommand, mayBecomeEnough } from '../../src/domain/budget.ts';

const LIMIT = 1_000;
const DAY = '2026-01-01';
const NOON = Instant.parse(`${DAY}T12:00:00Z`);

interface Use {
  readonly take: Take;
  readonly reserved: number;
  /** Null while it has not ended. */
  spent: number | null;
  /** Whether analytics knows its begin and end. */
  isKnown: boolean;
}

/** A budget, its owner, and processes that make calls. Charges reach the owner late. */
class World {
  private state: Budget = budget.initialState;
  private readonly holders: BlockHolder<null>[];
  readonly uses: Use[] = [];
  private now = 0;
  private made = 0;

  constructor(processes: number) {
    this.holders = Array.from({ length: processes }, (_, index) => new BlockHolder<null>(this.lender(String(index)), () => this.now));
    this.decide({ type: 'Set', terms: { scope: 'token', scopeId: 't', period: 'DAY', limit: LIMIT, mode: 'hard' } });
  }

  get spentAndReserved(): number {
    return this.uses.reduce((sum, { spent, reserved }) => sum + (spent ?? reserved), 0);
  }

  private decide(command: BudgetCommand): void {
    const decision = budget.decide(command, this.state);
    if (decision instanceof Refusal) throw decision;
    for (const event of decision) this.state = budget.evolve(this.state, event);
  }

  private known() {
    const known: Record<string, Uses> = {};
    let spent = 0;
    for (const { take, spent: its, isKnown } of this.uses) {
      if (!isKnown) continue;
      const { begun, ended, spent: before } = known[take.block] ?? { begun: 0, ended: 0, spent: 0 };
      known[take.block] = { begun: begun + 1, ended: ended + 1, spent: before + its! };
      spent += its!;
    }
    return { known, spent };
  }

  private lender(holder: string): Lender<null> {
    return {
      takesShrunk: true,
      lend: async (_, { needed, wanted, closed, shrunk = [] }) => {
        const block = `b${++this.made}`;
        const now = Instant.plus(NOON, this.now);
        const [wish, facts] = [{ needed, wanted }, this.known()];
        const until = Instant.plus(now, 60_000);
        this.decide({ type: 'Lend', block, holder, wish, closed, shrunk, firstDay: DAY, now, until, ...facts });
        const lent = this.state.blocks[block];
        if (lent) return { block, amount: lent.amount, usableMillis: 45_000, facts: null };
        if (mayBecomeEnough(this.state.terms!, this.state.blocks, facts, { holder, wish }))
          throw refuse('unavailable', 'budget_busy', 'Others hold it.');
        throw refuse('limited', 'budget_exceeded', 'Too little is left.');
      },
      close: async (_, closed, shrunk) => this.decide({ type: 'Close', closed, shrunk }),
    };
  }

  /** The code of the refusal. Null for an admitted call. */
  async begin(process: number, reserved: number): Promise<string | null> {
    try {
      const { take } = await this.holders[process % this.holders.length]!.take('b', reserved);
      take.keep();
      this.uses.push({ take, reserved, spent: null, isKnown: false });
      return null;
    } catch (error) {
      return (error as Refusal).code;
    }
  }

  /** Several calls at the same time. */
  async beginAll(process: number, amounts: readonly number[]): Promise<void> {
    await Promise.all(amounts.map((amount) => this.begin(process, amount)));
  }

  end(index: number, share: number): void {
    const open = this.uses.filter(({ spent }) => spent === null);
    const use = open[index % Math.max(1, open.length)];
    if (!use) return;
    use.spent = Math.floor(use.reserved * share);
    use.take.settle(use.spent);
  }

  deliver(index: number): void {
    const ended = this.uses.filter(({ spent, isKnown }) => spent !== null && !isKnown);
    const use = ended[index % Math.max(1, ended.length)];
    if (use) use.isKnown = true;
  }

  /** Processes report each second. A single one reports when it borrows. */
  async report(): Promise<void> {
    if (this.holders.length > 1) for (const holder of this.holders) await holder.giveBack();
  }

  async wait(millis: number): Promise<void> {
    this.now += millis;
    for (const holder of this.holders) await holder.giveBack();
    this.decide({ type: 'Settle', firstDay: DAY, now: Instant.plus(NOON, this.now), ...this.known() });
  }
}

const action = fc.oneof(
  { weight: 6, arbitrary: fc.record({ do: fc.constant('begin' as const), process: fc.nat(2), amount: fc.integer({ min: 1, max: 150 }) }) },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('beginAll' as const),
      process: fc.nat(2),
      amounts: fc.array(fc.integer({ min: 1, max: 80 }), { minLength: 2, maxLength: 6 }),
    }),
  },
  {
    weight: 6,
    arbitrary: fc.record({ do: fc.constant('end' as const), index: fc.nat(50), share: fc.double({ min: 0, max: 1, noNaN: true }) }),
  },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('deliver' as const), index: fc.nat(50) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('wait' as const), millis: fc.integer({ min: 1, max: 50_000 }) }) },
);
type Action = typeof action extends fc.Arbitrary<infer Value> ? Value : never;

/** Calls `refused` for each refused call, with what was left when it was refused. */
async function run(world: World, actions: readonly Action[], refused: (code: string, amount: number, left: number) => void): Promise<void> {
  for (const each of actions) {
    if (each.do === 'end') world.end(each.index, each.share);
    else if (each.do === 'deliver') world.deliver(each.index);
    else if (each.do === 'wait') await world.wait(each.millis);
    else if (each.do === 'beginAll') await world.beginAll(each.process, each.amounts);
    else {
      await world.report();
      const left = LIMIT - world.spentAndReserved;
      const code = await world.begin(each.process, each.amount);
      if (code !== null) refused(code, each.amount, left);
    }
    expect(world.spentAndReserved).toBeLessThanOrEqual(LIMIT);
  }
}

describe('a hard budget of calls', () => {
  const actions = fc.array(action, { minLength: 10, maxLength: 100 });

  it('of one process is never exceeded, and refuses a call only if the call passes what is left, however late charges arrive', async () => {
    await fc.assert(
      fc.asyncProperty(actions, async (some) => {
        await run(new World(1), some, (code, amount, left) => {
          expect([code, amount > left]).toEqual(['budget_exceeded', true]);
        });
      }),
      { numRuns: 400 },
    );
  });

  it('of three processes is never exceeded, and is not called used up while others hold what a call needs', async () => {
    await fc.assert(
      fc.asyncProperty(actions, async (some) => {
        await run(new World(3), some, (code, amount, left) => {
          if (code !== 'budget_busy') expect([code, amount > left]).toEqual(['budget_exceeded', true]);
        });
      }),
      { numRuns: 400 },
    );
  });

  it('can be used by another process up to the last unit when the first one is idle', async () => {
    const world = new World(2);
    while ((await world.begin(0, 100)) === null) world.end(0, 0.5);
    expect(LIMIT - world.spentAndReserved).toBeLessThan(100);
    await world.wait(5_000);
    const left = LIMIT - world.spentAndReserved;
    expect([await world.begin(1, left + 1), await world.begin(1, left)]).toEqual(['budget_exceeded', null]);
  });
});
