import { describe, expect, it } from '@jest/globals';
import { KeyCache } from './key-cache.ts';
import type { SubjectKey } from './subject-keys.ts';

const key = { id: 'ann', within: [] as readonly string[] } as unknown as SubjectKey;

/** A source of keys whose loads end by hand. */
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

describe('the memory of keys', () => {
  it('shares one load among all that ask at the same time', async () => {
    const { loads, load } = source();
    const cache = new KeyCache();
    const found = Promise.all([cache.find('ann', load), cache.find('ann', load)]);
    loads[0]!.resolve(key);
    expect([await found, loads.length]).toEqual([[key, key], 1]);
  });
  it('shares the load of after an erasure also when one of before it ends meanwhile', async () => {
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
});
