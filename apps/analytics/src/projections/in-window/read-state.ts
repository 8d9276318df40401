import type { ReadModels } from '@parlance/read-models';
import { spend } from '../spend.ts';

/** `parlance replay --reset` leaves both the generation and, in the end, the changes. Then rows are read again after this time at the latest. */
export const KEPT_MILLIS = 3_600_000;

/** What the rows of a day or a month were when they were read. */
export interface ReadState {
  readonly changes: number | undefined;
  readonly generation: number;
  readonly readAt: number;
}

/** To be taken before the rows are read: they may be newer, and are read again then. */
export const readState = (models: ReadModels, changes: number | undefined): ReadState => ({
  changes,
  generation: models.generation(spend.name),
  readAt: performance.now(),
});

/**
 * Whether rows are still as they were read. Each charge and each correction raises the number of changes in the write of its rows, and a rebuild makes
 * the next generation.
 */
export const isAsRead = (read: ReadState, now: ReadState, keptMillis: number): boolean =>
  read.changes === now.changes && read.generation === now.generation && now.readAt - read.readAt < keptMillis;
