import type { Metadata, EventStore } from '@parlance/event-store';
import type { Projector } from './projector.ts';

/**
 * The newest event of the service's own log that the rows of all these projections include. Waits until they include the events that were
 * recorded before the call. Null before the first event.
 */
export async function newestIncluded(
  store: EventStore,
  projector: Projector,
  names: readonly string[],
): Promise<{ readonly position: number; readonly at: Metadata['at'] } | null> {
  await projector.includes(await store.head());
  const position = Math.min(...(await Promise.all(names.map((name) => projector.reached(name)))));
  const [commit] = position === 0 ? [] : await store.readAll(position - 1, 1);
  return commit ? { position, at: commit.metadata.at } : null;
}
