import type { ReadModels } from '@parlance/read-models';
import { spend } from '../spend.ts';

/**
 * `parlance replay --reset` keeps the generation and, in the end, the number of changes. So rows are read again after this time at the
 * latest.
 */
export const KEPT_MILLIS = 3_600_000;

/** The state of a day's or a month's rows when they were read. */
export interface ReadState {
  readonly changes: number | undefined;
  readonly generation: number;
  readonly readAt: number;
}

/** The state to store with rows. Must be called before the rows are read, so that newer rows are read again. */
export const readState = (models: ReadModels, changes: number | undefined): ReadState => ({
  changes,
  generation: models.generation(spend.name),
  readAt: performance.now(),
});

/**
 * Whether rows are unchanged since they were read. Each charge and each correction raises the number of changes in the write of its rows,
 * and a rebuild starts the next generation.
 */
export const isAsRead = (read: ReadState, now: ReadState, keptMillis: number): boolean =>
  read.changes === now.changes && read.generation === now.generation && now.readAt - read.readAt < keptMillis;
