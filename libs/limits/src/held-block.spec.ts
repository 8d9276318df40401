import { describe, expect, it } from '@jest/globals';
import { HeldBlock } from './held-block.ts';

describe('a block in the memory of its holder', () => {
  const held = () => new HeldBlock('b', 10, 100);

  it('is used until nothing is left', () => {
    const block = held();
    expect([block.take(6, 0)?.block, block.take(5, 0), block.take(4, 0)?.block, block.uses]).toEqual(['b', null, 'b', 2]);
  });
  it('is no longer used when its lease ends', () => {
    const block = held();
    expect([block.take(1, 99)?.block, block.take(1, 100)]).toEqual(['b', null]);
  });
  it('gets back an unused amount, once', () => {
    const block = held();
    const take = block.take(10, 0)!;
    take.giveBack();
    take.giveBack();
    expect([block.uses, block.take(11, 0), block.take(10, 0)?.block]).toEqual([0, null, 'b']);
  });
  it('gets back what a use that has ended did not cost, once', () => {
    const block = held();
    const take = block.take(10, 0)!;
    take.settle(1);
    expect(block.take(1, 0)).toBeNull();
    take.keep();
    take.settle(3);
    take.settle(0);
    expect([block.uses, block.take(8, 0), block.take(7, 0)?.block]).toEqual([1, null, 'b']);
  });
  it('tells what its uses can cost when it is retired, and when they turn out to cost less', () => {
    const block = held();
    const [first, second] = [block.take(4, 0)!, block.take(3, 0)!];
    first.keep();
    const told: number[] = [];
    block.retire((most) => told.push(most));
    first.settle(1);
    second.giveBack();
    expect([told, block.take(1, 0)]).toEqual([[7, 4, 1], null]);
  });
  it('is undecided until the outcome of each take is known', () => {
    const block = held();
    const takes = [block.take(1, 0)!, block.take(1, 0)!, block.take(1, 0)!];
    takes[0]!.keep();
    takes[1]!.giveBack();
    expect(block.isUndecided).toBe(true);
    takes[2]!.keep();
    takes[2]!.giveBack();
    expect([block.isUndecided, block.uses]).toEqual([false, 2]);
  });
  it('does not know its number of uses if one is in doubt, and keeps the amount', () => {
    const block = held();
    block.take(10, 0)!.doubt();
    expect([block.uses, block.take(1, 0)]).toEqual([null, null]);
  });
});
