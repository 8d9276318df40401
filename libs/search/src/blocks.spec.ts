import { describe, expect, it } from '@jest/globals';
import { Blocks } from './blocks.ts';

const PAGE = 262_144;

describe('blocks for lists of numbers', () => {
  it('are allocated in whole steps, without overlap', () => {
    const blocks = new Blocks();
    const [first, second, third] = [blocks.take(1), blocks.take(17), blocks.take(0)];
    expect([second! - first!, third! - second!]).toEqual([16, 32]);
  });
  it('are counted when a page starts and when they are allocated', () => {
    const blocks = new Blocks();
    const rooms = [blocks.room];
    for (const length of [1, 17, PAGE]) {
      blocks.take(length);
      rooms.push(blocks.room);
    }
    expect(rooms).toEqual([0, 16, 48, 2 * PAGE]);
  });
  it('are reused for a list of about the same length', () => {
    const blocks = new Blocks();
    const freed = blocks.take(20);
    blocks.give(freed, 20);
    expect([blocks.take(100) === freed, blocks.take(30) === freed, blocks.take(30) === freed]).toEqual([false, true, false]);
  });
  it('lie on one page, and are refused for a list that is longer than a page', () => {
    const blocks = new Blocks();
    blocks.take(PAGE - 16);
    const [small, large] = [blocks.take(16), blocks.take(32)];
    expect(blocks.pageOf(small)).not.toBe(blocks.pageOf(large));
    expect(Blocks.offsetOf(large)).toBe(0);
    expect(() => blocks.take(PAGE + 1)).toThrow(RangeError);
  });
});
