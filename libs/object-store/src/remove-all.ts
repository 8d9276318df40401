import type { ObjectStore } from './object-store.ts';

/** How many keys are read at once. */
export const REMOVAL_PAGE = 500;
/** How many removals of one page run concurrently. */
const AT_ONCE = 8;

/**
 * Removes the objects whose keys begin with a prefix, and returns how many it removed. Objects that are put meanwhile may remain. If a
 * removal fails, it rejects with that error, and the objects of the earlier pages are gone. It can be repeated. Throws `RangeError` for an
 * empty prefix, which would remove everything.
 */
export async function removeAll(store: ObjectStore, prefix: string): Promise<number> {
  if (prefix === '') throw new RangeError('removing everything needs a prefix');
  let removed = 0;
  for (let after: string | undefined; ;) {
    const page = await store.list(prefix, { limit: REMOVAL_PAGE, ...(after !== undefined && { after }) });
    const waiting = page.map(({ key }) => key);
    const work = async () => {
      for (let key = waiting.pop(); key !== undefined; key = waiting.pop()) await store.remove(key);
    };
    await Promise.all(Array.from({ length: AT_ONCE }, work));
    removed += page.length;
    if (page.length < REMOVAL_PAGE) return removed;
    after = page.at(-1)?.key;
  }
}
