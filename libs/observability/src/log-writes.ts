import { Refusal } from '@parlance/decider';
import { type EventStore, StoreClosed, VersionConflict } from '@parlance/event-store';

/** Errors that a working store throws. */
const isAnswer = (error: unknown) =>
  error instanceof Refusal || error instanceof VersionConflict || error instanceof StoreClosed || error instanceof RangeError;

/** Kept under a name that no stream has. */
const PROBE = 'health';

/**
 * Checks whether a log can be written. While appends succeed, it does nothing. After a failed append, as on a full disk, it writes a small
 * record of its own until that succeeds.
 */
export function watchWrites(store: EventStore): () => Promise<void> {
  let hasFailed = false;
  const append = store.append.bind(store);
  store.append = async (what) => {
    try {
      const appended = await append(what);
      hasFailed = false;
      return appended;
    } catch (error) {
      hasFailed ||= !isAnswer(error);
      throw error;
    }
  };
  return async () => {
    if (!hasFailed) return;
    await store.saveSnapshot(PROBE, { version: Date.now(), shape: PROBE, state: null });
    hasFailed = false;
  };
}
