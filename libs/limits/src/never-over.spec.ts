import { describe, expect, it } from '@jest/globals';
import { Instant } from '@parlance/decider';
import fc from 'fast-check';
import { blockOf, type BlockEvent, type Blocks, evolveBlocks, isOver, type Uses } from './blocks.ts';
import { HeldBlock, type Take } from './held-block.ts';

const LIMIT = 1_000;
const LEASE = 60_000;
const USABLE = 45_000;
/** After this time, the uses of a crashed holder are known to the owner. */
const DELIVERED = 10_000;

interface Use {
  readonly block: string;
  readonly reserved: number;
  readonly begunAt: number;
  spent: number | null;
  endedAt: number;
  isBeginKnown: boolean;
  isEndKnown: boolean;
}

/** One limit, its owner, three holders, and the late reports of their uses. */
class World {
  private blocks: Blocks = {};
  private readonly holders: (HeldBlock | null)[] = [null, null, null];
  private readonly uses: Use[] = [];
  private now = 1_000_000;
  /** The error of the owner's clock. */
  private off = 0;
  private made = 0;

  /** The spent amount, and the amount reserved for uses that have not ended. */
  get spentAndReserved(): number {
    return this.uses.reduce((sum, { spent, reserved }) => sum + (spent ?? reserved), 0);
  }

  get spent(): number {
    return this.uses.reduce((sum, { spent }) => sum + (spent ?? 0), 0);
  }

  private get ownersNow(): Instant {
    return Instant.ofMillis(this.now + this.off);
  }

  private note(event: BlockEvent): void {
    this.blocks = evolveBlocks(this.blocks, event);
  }

  use(holder: number, amount: number, isRefused: boolean): Take | null {
    const take = this.holders[holder]?.take(amount, this.now) ?? this.lend(holder, amount)?.take(amount, this.now) ?? null;
    if (!take) return null;
    if (isRefused) take.giveBack();
    else
      this.uses.push({
        block: take.block,
        reserved: amount,
        begunAt: this.now,
        spent: null,
        endedAt: 0,
        isBeginKnown: false,
        isEndKnown: false,
      });
    return take;
  }

  private lend(holder: number, needed: number): HeldBlock | null {
    this.close(holder);
    this.settle();
    const known = Object.fromEntries(Object.keys(this.blocks).map((block) => [block, this.knownOf(block)]));
    const spent = this.uses.reduce((sum, use) => sum + (use.isEndKnown ? use.spent! : 0), 0);
    const amount = blockOf({ limit: LIMIT, spent, known }, this.blocks, { needed, wanted: needed });
    if (amount === null) return null;
    const block = `b${++this.made}`;
    this.note({ type: 'BlockLent', block, holder: String(holder), amount, until: Instant.plus(this.ownersNow, LEASE) });
    return (this.holders[holder] = new HeldBlock(block, amount, this.now + USABLE));
  }

  close(holder: number): void {
    const held = this.holders[holder];
    if (held) this.note({ type: 'BlockClosed', block: held.id, uses: held.uses });
    this.holders[holder] = null;
  }

  kill(holder: number): void {
    this.holders[holder] = null;
  }

  end(index: number, share: number): void {
    const open = this.uses.filter(({ spent }) => spent === null);
    const use = open[index % Math.max(1, open.length)];
    if (use) Object.assign(use, { spent: Math.floor(use.reserved * share), endedAt: this.now });
  }

  deliver(index: number): void {
    const use = this.uses[index % Math.max(1, this.uses.length)];
    if (use?.isBeginKnown && use.spent !== null) use.isEndKnown = true;
    if (use) use.isBeginKnown = true;
  }

  wait(millis: number): void {
    for (let left = millis; left > 0; left -= 1_000) {
      this.now += Math.min(1_000, left);
      for (const use of this.uses) {
        if (use.begunAt + DELIVERED <= this.now) use.isBeginKnown = true;
        if (use.isBeginKnown && use.spent !== null && use.endedAt + DELIVERED <= this.now) use.isEndKnown = true;
      }
      this.settle();
    }
  }

  step(off: number): void {
    this.off = off;
  }

  private settle(): void {
    for (const [id, block] of Object.entries(this.blocks))
      if (isOver(block, this.knownOf(id), this.ownersNow)) this.note({ type: 'BlockSettled', block: id, spent: 0 });
  }

  private knownOf(block: string): Uses {
    const its = this.uses.filter((use) => use.block === block);
    const ended = its.filter(({ isEndKnown }) => isEndKnown);
    return {
      begun: its.filter(({ isBeginKnown }) => isBeginKnown).length,
      ended: ended.length,
      spent: ended.reduce((sum, { spent }) => sum + spent!, 0),
    };
  }
}

const holder = fc.nat(2);
const action = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({ do: fc.constant('use' as const), holder, amount: fc.integer({ min: 1, max: 120 }), isRefused: fc.boolean() }),
  },
  {
    weight: 4,
    arbitrary: fc.record({ do: fc.constant('end' as const), index: fc.nat(50), share: fc.double({ min: 0, max: 1, noNaN: true }) }),
  },
  { weight: 4, arbitrary: fc.record({ do: fc.constant('deliver' as const), index: fc.nat(200) }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('wait' as const), millis: fc.integer({ min: 1, max: 80_000 }) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('kill' as const), holder }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('close' as const), holder }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('step' as const), off: fc.integer({ min: -15_000, max: 15_000 }) }) },
);

function act(world: World, todo: Parameters<Parameters<typeof action.map>[0]>[0]): void {
  if (todo.do === 'use') world.use(todo.holder, todo.amount, todo.isRefused);
  else if (todo.do === 'end') world.end(todo.index, todo.share);
  else if (todo.do === 'deliver') world.deliver(todo.index);
  else if (todo.do === 'wait') world.wait(todo.millis);
  else if (todo.do === 'kill') world.kill(todo.holder);
  else if (todo.do === 'close') world.close(todo.holder);
  else world.step(todo.off);
}

describe('a limit that three processes use', () => {
  it('is never exceeded, whichever processes are killed, reports are late or clocks are wrong', () => {
    fc.assert(
      fc.property(fc.array(action, { minLength: 20, maxLength: 120 }), (actions) => {
        const world = new World();
        for (const todo of actions) {
          act(world, todo);
          expect(world.spentAndReserved).toBeLessThanOrEqual(LIMIT);
        }
      }),
      { numRuns: 500 },
    );
  });

  it('can be used up to the last unit after lost blocks were settled', () => {
    fc.assert(
      fc.property(fc.array(action, { minLength: 5, maxLength: 60 }), (actions) => {
        const world = new World();
        for (const todo of actions) act(world, todo);
        for (let index = 0; index < 500; index++) world.end(0, 1);
        for (const one of [0, 1, 2]) world.close(one);
        world.step(0);
        world.wait(150_000);
        const left = LIMIT - world.spent;
        if (left > 0) expect(world.use(0, left, false)).not.toBeNull();
        expect(world.use(1, 1, false)).toBeNull();
      }),
      { numRuns: 100 },
    );
  });
});
