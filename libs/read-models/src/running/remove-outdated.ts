import type { ForeignProjection, OutdatedRows } from '../projection.ts';
import type { Moment } from '../published.ts';
import type { ReadModels } from '../read-models.ts';

/** Removes rows that no later event reads from each of `copies`. `complete`: see `completeUpTo`. */
export async function removeOutdated(
  { outdated, name }: ForeignProjection,
  models: ReadModels,
  complete: (newest: Moment) => Promise<Moment>,
  copies: readonly ReadModels[],
): Promise<void> {
  // An event that was set aside may need rows from its time.
  if (!outdated || models.built(name) < 1 || (await models.parked(name, 1)).length > 0) return;
  const newest = await outdated.newest(models);
  if (!newest) return;
  await removeRows(outdated.before(await complete(newest)), copies);
}

export async function removeRows(outdated: readonly OutdatedRows[], copies: readonly ReadModels[]): Promise<void> {
  for (const rows of outdated)
    for (const each of copies)
      await ('key' in rows ? each.removeBefore(rows.table, rows.key) : each.removeUpTo(rows.table, rows.index, rows.upTo));
}
