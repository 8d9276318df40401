import { randomFillSync } from 'node:crypto';
import { decodeTime, encodeTime, isValid, monotonicFactory } from 'ulid';

const pool = new Uint8Array(4_096);
let used = pool.length;

/** Random bytes are fetched in pages. An ID needs sixteen, and one call for each ID would cost more than the rest of a command. */
function random(): number {
  if (used === pool.length) {
    randomFillSync(pool);
    used = 0;
  }
  return (pool[used++] as number) / 256;
}

/** A new ULID; those of one process sort in the order they were made, also within a millisecond. */
export const newId: () => string = monotonicFactory(random);

/** When an ID was made, in epoch milliseconds. Null for an ID that is no ULID. */
export const timeOfId = (id: string): number | null => (isValid(id) ? decodeTime(id) : null);

/** Sorts before all IDs that are made from this moment on, and after those that were made earlier. */
export const firstIdAt = (millis: number): string => encodeTime(millis);
