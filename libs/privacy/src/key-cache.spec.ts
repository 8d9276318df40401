import { describe, expect, it } from '@jest/globals';
import { KeyCache } from './key-cache.ts';
import type { SubjectKey } from './subject-keys.ts';

const key = { id: 'ann', within: [] as readonly string[] } as unknown as SubjectKey;

/** A source of keys. The test decides when each load ends. */
function source() {
  const loads: PromiseWithResolvers<SubjectKey | null>[] = [];
  const load = () => {
    const begun = Promise.withResolvers<SubjectKey | null>();
    loads.push(begun);
    return begun.promise;
  };
  return { loads, load };
}

const pass = () => new Promise((resolve) => setImmediate(resolve));

describe('the key cache', () => {
  it('shares one load among concurrent calls', async () => {
    const { loads, load } = source();
    const cache = new KeyCache();
    const found = Promise.all([cache.find('ann', load), cache.find('ann', load)]);
    loads[0]!.resolve(key);
    expect([await found, loads.length]).toEqual([[key, key], 1]);
  });
  it('shares a load that began after an erasure, even if an earlier load ends meanwhile', async () => {
    const { loads, load } = source();
    const cache = new KeyCache();
    const early = cache.find('ann', load);
    cache.forget('ann');
    const late = cache.find('ann', load);
    loads[0]!.resolve(key);
    await pass();
    const third = cache.find('ann', load);
    expect(loads).toHaveLength(2);
    loads[1]!.resolve(null);
    expect(await Promise.all([early, late, third])).toEqual([null, null, null]);
  });

  const named = (id: string) => ({ id, within: [] as readonly string[] }) as unknown as SubjectKey;
  const remembered = (cache: KeyCache, ids: readonly string[]) => ids.filter((id) => cache.get(id) !== undefined);

  it('drops the oldest unused key, and keeps a used key for another round', () => {
    const cache = new KeyCache({ max: 3 });
    for (const id of ['a', 'b', 'c']) cache.learn(named(id), 0);
    cache.get('a');
    cache.learn(named('d'), 0);
    expect([cache.size, remembered(cache, ['b'])]).toEqual([3, []]);
    cache.learn(named('e'), 0);
    expect([cache.size, remembered(cache, ['a', 'c', 'd', 'e'])]).toEqual([3, ['a', 'd', 'e']]);
  });
  it('drops one key if all were used, and the others in the next round', () => {
    const cache = new KeyCache({ max: 3 });
    for (const id of ['a', 'b', 'c']) cache.learn(named(id), 0);
    remembered(cache, ['a', 'b', 'c']);
    for (const id of ['d', 'e', 'f']) cache.learn(named(id), 0);
    expect(remembered(cache, ['a', 'b', 'c', 'd', 'e', 'f'])).toEqual(['d', 'e', 'f']);
  });
  it('reuses the slots of dropped keys, and stays within its limit', () => {
    let now = 0;
    const cache = new KeyCache({ max: 3, ttlMillis: 10, now: () => now });
    for (const id of ['a', 'b', 'c']) cache.learn(named(id), 0);
    cache.forget('b');
    now = 10;
    expect(remembered(cache, ['a'])).toEqual([]);
    const { epochNow } = cache;
    cache.learn(named('b'), epochNow);
    for (let index = 0; index < 20; index++) {
      cache.learn(named(`next-${index}`), epochNow);
      expect(cache.size).toBeLessThanOrEqual(3);
    }
    expect(remembered(cache, ['b', 'next-17', 'next-18', 'next-19'])).toEqual(['next-17', 'next-18', 'next-19']);
  });
  it('forgets the texts of a key when another one replaces it', () => {
    const cache = new KeyCache();
    cache.learn(key, 0);
    cache.rememberText('ann', 'sealed', 'plain');
    cache.learn(key, 0);
    expect(cache.textOf('ann', 'sealed')).toBe('plain');
    cache.learn({ ...key } as unknown as SubjectKey, 0);
    expect(cache.textOf('ann', 'sealed')).toBeUndefined();
  });
});
