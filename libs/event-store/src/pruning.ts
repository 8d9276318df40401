import { setImmediate } from 'node:timers/promises';
import type { Instant } from '@parlance/decider';
import type { EventStore } from './event-store.ts';

/** The position of the first commit that is not older than an instant, found by bisection. The log is ordered by time, except for small differences between clocks. */
export async function positionAt(store: Pick<EventStore, 'head' | 'readAll'>, at: Instant): Promise<number> {
  let [low, high] = [1, (await store.head()) + 1];
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    const [commit] = await store.readAll(middle - 1, 1);
    if (commit && commit.metadata.at < at) low = middle + 1;
    else high = middle;
  }
  return low;
}

/**
 * Deletes the `once` names of commits older than an instant. A delivery that is repeated later takes effect again, so the instant must be
 * older than the retention of every topic.
 */
export async function forgetNamesBefore(store: EventStore, at: Instant): Promise<void> {
  const position = await positionAt(store, at);
  while (await store.pruneOnce(position)) await setImmediate();
}
