import { describe, expect, it } from '@jest/globals';
import type { ObjectStore } from './object-store.ts';
import { REMOVAL_PAGE, removeAll } from './remove-all.ts';

/** The part of a store that removals need. `broken` keys cannot be removed. */
function storeOf(count: number, broken: ReadonlySet<string> = new Set()) {
  const keys = new Set(Array.from({ length: count }, (_, index) => `a/${String(index).padStart(6, '0')}`));
  const limits: number[] = [];
  const store = {
    list: async (prefix: string, { after = '', limit }: { after?: string; limit: number }) => {
      limits.push(limit);
      const page = [...keys].filter((key) => key.startsWith(prefix) && key > after).slice(0, limit);
      return page.map((key) => ({ key, size: 1, modified: new Date() }));
    },
    remove: async (key: string) => {
      if (broken.has(key)) throw new Error(`${key} stays`);
      keys.delete(key);
    },
  } as unknown as ObjectStore;
  return { store, keys, limits };
}

describe('removing all objects below a prefix', () => {
  it.each([0, 1, REMOVAL_PAGE, REMOVAL_PAGE + 1, 3 * REMOVAL_PAGE - 1])('removes %i in bounded pages', async (count) => {
    const { store, keys, limits } = storeOf(count);
    expect(await removeAll(store, 'a/')).toBe(count);
    expect(keys.size).toBe(0);
    expect(Math.max(...limits)).toBe(REMOVAL_PAGE);
  });

  it('rejects with the error of a removal, and can be repeated', async () => {
    const broken = new Set(['a/000700']);
    const { store, keys } = storeOf(1_200, broken);
    await expect(removeAll(store, 'a/')).rejects.toThrow('a/000700 stays');
    expect(keys.size).toBeLessThanOrEqual(700);
    broken.clear();
    await removeAll(store, 'a/');
    expect(keys.size).toBe(0);
  });
});
