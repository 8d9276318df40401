import { setTimeout as delay } from 'node:timers/promises';
import { CheckpointMoved, Held, OtherVersion } from './errors.ts';
import type { ForeignEvent, ForeignProjection } from './projection.ts';
import type { Change, ReadModels } from './read-models.ts';

/** For `@EventPattern` handlers: the effect of one event of another service, once however often it is delivered. Answers false for a repeat. */
export async function applyForeign(models: ReadModels, projection: ForeignProjection, event: ForeignEvent): Promise<boolean> {
  return applyOnce(models, projection, event.id, () => projection.changes(event));
}

/** As `applyForeign`, for changes that no function of the event alone can tell. Such rows can't be rebuilt from the topics. */
export async function applyOnce(
  models: ReadModels,
  { name, version }: Pick<ForeignProjection, 'name' | 'version'>,
  eventId: string,
  changes: () => readonly Change[],
): Promise<boolean> {
  for (;;) {
    const living = await models.builds.living(name);
    if (living.version !== version) throw new OtherVersion(name, living.version, version);
    try {
      return await models.at(living).apply({ projection: name, seen: [eventId], changes: changes() });
    } catch (error) {
      // Held for a moment, or switched since: a rebuild is ending, which takes no longer than its second look at the topics.
      if (!(error instanceof Held || error instanceof CheckpointMoved)) throw error;
      await delay(20 + Math.random() * 30);
    }
  }
}
