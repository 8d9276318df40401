import type { Commit, StoredEvent } from '@parlance/event-store';
import type { Projection } from './projection.ts';
import type { Change } from './table.ts';

/** The changes of a commit. Throws the errors of the projection's function. */
export function changesOf(projection: Projection, { position, stream, version, metadata, events }: Commit): readonly Change[] {
  const changes: Change[] = [];
  for (const { id, event } of events) {
    changes.push(...projection.changes(event as StoredEvent, { stream, version, position, id, metadata }));
  }
  return changes;
}

export function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** The approximate size of a JSON value: the length of its strings, and eight for every other value. */
export function sizeOf(value: unknown): number {
  if (typeof value === 'string') return value.length;
  if (typeof value !== 'object' || value === null) return 8;
  let size = 8;
  for (const one of Object.values(value)) size += sizeOf(one);
  return size;
}
