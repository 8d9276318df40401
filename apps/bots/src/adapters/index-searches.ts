import { refuse } from '@parlance/decider';
import type { ObjectStoreHealth } from '@parlance/foundation';

/** A search that takes longer asks whether the object store with the index answers. */
export const ASKS_STORE_MILLIS = 1_000;

/** The most searches of one process that take longer than that. They include those whose callers no longer wait for them. */
export const MOST_SLOW_SEARCHES = 64;

/**
 * The searches of indexes in the object store. LanceDB repeats a read for minutes while the store does not answer, and cannot be stopped, so a search
 * may go on after its caller was refused.
 */
export class IndexSearches {
  private slow = 0;

  /** `storage` is null if there is no object store. */
  constructor(private readonly storage: Pick<ObjectStoreHealth, 'check'> | null) {}

  /**
   * Throws the refusal `object_store_unavailable` (unavailable) before the search while the store is known to be down or too many searches are slow,
   * and during the search when the store goes down.
   */
  async run<Result>(search: () => Promise<Result>): Promise<Result> {
    const { storage } = this;
    if (!storage) return search();
    if (this.slow >= MOST_SLOW_SEARCHES) throw storeUnavailable(new Error(`${this.slow} searches have not ended`));
    await storage.check().catch(unavailable);
    const { promise: silence, reject } = Promise.withResolvers<never>();
    const searching = search();
    let isSlow = false;
    const timer = setInterval(() => {
      if (!isSlow) this.slow++;
      isSlow = true;
      storage.check().catch(unavailable).catch(reject);
    }, ASKS_STORE_MILLIS);
    const end = () => {
      if (isSlow) this.slow--;
    };
    searching.then(end, end);
    try {
      return await Promise.race([searching, silence]);
    } finally {
      clearInterval(timer);
    }
  }
}

const unavailable = (error: unknown): never => {
  throw storeUnavailable(error);
};

const storeUnavailable = (cause: unknown) => {
  const detail = 'The object store with the index of this bot does not answer. Try again in a moment.';
  return Object.assign(refuse('unavailable', 'object_store_unavailable', detail, { retry_after: 5 }), { cause });
};
