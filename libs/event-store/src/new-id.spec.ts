import { describe, expect, it, jest } from '@jest/globals';
import { newId } from './new-id.ts';

describe('ids', () => {
  const ids = Array.from({ length: 20_000 }, newId);

  it('are ULIDs', () => expect(ids.every((id) => /^[0-7][0-9A-HJKMNP-TV-Z]{25}$/.test(id))).toBe(true));
  it('are all different', () => expect(new Set(ids).size).toBe(ids.length));
  it('sort in the order of their creation', () => expect(ids.toSorted()).toEqual(ids));
  it('sort in the order of their creation, even after the last four characters overflow, and while the clock is set back', () => {
    jest.useFakeTimers({ now: 1_800_000_000_000 });
    try {
      let last = newId();
      const first = last;
      let isSorted = true;
      for (let made = 0; made < 2 ** 20; made++) {
        if (made === 1_000) jest.setSystemTime(1_700_000_000_000);
        const id = newId();
        isSorted &&= id > last && id.length === 26;
        last = id;
      }
      expect(isSorted).toBe(true);
      expect([last.slice(0, 10), last.slice(-4)]).toEqual([first.slice(0, 10), first.slice(-4)]);
    } finally {
      jest.useRealTimers();
    }
  });
  it('have a new random part in each millisecond', () => {
    jest.useFakeTimers({ now: 1_800_000_000_000 });
    try {
      const made = Array.from({ length: 1_000 }, () => {
        jest.advanceTimersByTime(1);
        return newId().slice(10);
      });
      expect(new Set(made).size).toBe(made.length);
      for (let place = 0; place < 16; place++) expect(new Set(made.map((random) => random[place])).size).toBeGreaterThan(16);
    } finally {
      jest.useRealTimers();
    }
  });
});
