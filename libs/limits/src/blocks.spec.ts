import { describe, expect, it } from '@jest/globals';
import { Instant } from '@parlance/decider';
import { type Block, blockOf, type Blocks, evolveBlocks, FORGOTTEN_MILLIS, GRACE_MILLIS, isOver, lentOf } from './blocks.ts';

const noon = Instant.parse('2026-01-01T12:00:00Z');
const later = (millis: number) => Instant.plus(noon, millis);
const block = (amount: number, more: Partial<Block> = {}): Block => ({ holder: 'a', amount, until: noon, ...more });
const ledger = (limit: number, spent: number) => ({ limit, spent, known: {} });
const one = { needed: 10, wanted: 10 };

describe('the next block', () => {
  it('is an eighth of the rest', () => expect(blockOf(ledger(800, 0), {}, one)).toBe(100));
  it('shrinks with the rest', () => expect(blockOf(ledger(800, 400), {}, one)).toBe(50));
  it('is the needed amount if an eighth is less', () => expect(blockOf(ledger(40, 0), {}, one)).toBe(10));
  it('is at most 64 times the needed amount', () => expect(blockOf(ledger(1_000_000, 0), {}, one)).toBe(640));
  it('is the wanted amount if many takes wait', () => expect(blockOf(ledger(800, 0), {}, { needed: 10, wanted: 300 })).toBe(300));
  it('is the rest if more is wanted', () => expect(blockOf(ledger(40, 0), {}, { needed: 10, wanted: 300 })).toBe(40));
  it('is null if less than the needed amount is left', () => expect(blockOf(ledger(40, 31), {}, one)).toBeNull());
  it('does not use the amounts of lent blocks', () => expect(blockOf(ledger(40, 0), { a: block(31) }, one)).toBeNull());
  it('counts the spent part of a lent block once', () => {
    const known = { a: { begun: 1, ended: 1, spent: 20 } };
    expect(blockOf({ limit: 40, spent: 20, known }, { a: block(30) }, one)).toBe(10);
    expect(blockOf({ limit: 40, spent: 20, known }, { a: block(31) }, one)).toBeNull();
  });
  it('is not increased by a block of which more was spent than lent', () => {
    const known = { a: { begun: 1, ended: 1, spent: 35 } };
    expect(blockOf({ limit: 40, spent: 35, known }, { a: block(30) }, one)).toBeNull();
  });
  it('is null if more was spent than the limit', () => expect(blockOf(ledger(40, 50), {}, { needed: 0, wanted: 0 })).toBeNull());
});

describe('a block', () => {
  const known = (begun: number, ended: number) => ({ begun, ended, spent: 0 });

  it('is over if it is closed and its uses have ended', () => expect(isOver(block(1, { uses: 2 }), known(2, 2), noon)).toBe(true));
  it('is not over while it is used', () => expect(isOver(block(1, { until: later(1) }), known(2, 2), noon)).toBe(false));
  it('is not over before all its uses are known', () => expect(isOver(block(1, { uses: 2 }), known(1, 1), noon)).toBe(false));
  it('is not over before its uses have ended', () => expect(isOver(block(1, { uses: 2 }), known(2, 1), noon)).toBe(false));
  it.each([undefined, null])('without a number of uses (%p) is over when its lease and the grace have ended', (uses) => {
    const lost = block(1, uses === null ? { uses } : {});
    expect([later(GRACE_MILLIS - 1), later(GRACE_MILLIS)].map((now) => isOver(lost, known(1, 1), now))).toEqual([false, true]);
    expect(isOver(lost, known(2, 1), later(GRACE_MILLIS))).toBe(false);
  });
  it('is over after an hour even if a use never ends', () => {
    const at = (millis: number) => isOver(block(1, { uses: 1 }), known(1, 0), later(millis));
    expect([at(FORGOTTEN_MILLIS - 1), at(FORGOTTEN_MILLIS)]).toEqual([false, true]);
  });
});

describe('the blocks of a limit', () => {
  it('are lent until they are settled', () => {
    let blocks: Blocks = evolveBlocks({}, { type: 'BlockLent', block: 'x', holder: 'a', amount: 7, until: noon });
    blocks = evolveBlocks(blocks, { type: 'BlockLent', block: 'y', holder: 'b', amount: 5, until: noon });
    blocks = evolveBlocks(blocks, { type: 'BlockClosed', block: 'x', uses: 3 });
    expect([lentOf(blocks), blocks['x']]).toEqual([12, { holder: 'a', amount: 7, until: noon, uses: 3 }]);
    blocks = evolveBlocks(blocks, { type: 'BlockSettled', block: 'x', spent: 4 });
    expect(Object.keys(blocks)).toEqual(['y']);
  });
  it('ignore the closing of a settled block', () => expect(evolveBlocks({}, { type: 'BlockClosed', block: 'x', uses: 3 })).toEqual({}));
});
