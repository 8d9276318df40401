import { refuse } from '@parlance/decider';
import type { ObjectStoreHealth } from '@parlance/foundation';

/** A search that takes longer asks whether the object store with the index answers. */
export const ASKS_STORE_MILLIS = 1_000;

/** The most searches of one process that may go on after their callers were refused. */
export const MOST_ABANDONED_SEARCHES = 64;

/**
 * The searches of indexes in the object store. LanceDB repeats a read for minutes while the store does not answer, and cannot be stopped, so a search
 * may go on after its caller was refused.
 */
export class IndexSearches {
  private abandoned = 0;

  /** `storage` is null if there is no object store. */
  constructor(private readonly storage: Pick<ObjectStoreHealth, 'check'> | null) {}

  /**
   * Throws the refusal `object_store_unavailable` (unavailable) before the search while the store is known to be down or too many searches go on,
   * and during the search when the store goes down.
   */
  async run<Result>(search: () => Promise<Result>): Promise<Result> {
    const { storage } = this;
    if (!storage) return search();
    if (this.abandoned >= MOST_ABANDONED_SEARCHES) throw storeUnavailable(new Error(`${this.abandoned} refused searches have not ended`));
    await storage.check().catch(unavailable);
    const { promise: silence, reject } = Promise.withResolvers<never>();
    const searching = search();
    const end = () => this.abandoned--;
    const abandon = (error: unknown) => {
      clearInterval(timer);
      this.abandoned++;
      searching.then(end, end);
      reject(error);
    };
    const timer = setInterval(() => void storage.check().catch(unavailable).catch(abandon), ASKS_STORE_MILLIS);
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
