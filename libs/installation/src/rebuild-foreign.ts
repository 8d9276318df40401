import { existsSync } from 'node:fs';
import { skipToEnd } from '@parlance/messaging/embedded';
import { rebuildForeign as rebuildIn } from '@parlance/read-models/sqlite';
import { FileUnusable, openSqliteFile } from '@parlance/sqlite';
import { BROKER } from './file-looks.ts';

/** A read model's group is `<service>.<projection>.v<version>`; the group of a service's policies is the service's name. */
const isOfReadModel = (group: string) => group.includes('.');

/**
 * Has all read models of other services' events built again from the logs at the next start. They skip events that are not newer than
 * what they have, so after a loss they would skip the new events that take the places of the lost ones. What the topics hold is in the logs,
 * or is lost. No other process may have the files open. Files that are no databases are left to the start, which names them.
 */
export async function rebuildForeign(paths: Readonly<Record<string, string>>): Promise<void> {
  for (const [log, path] of Object.entries(paths)) {
    if (!existsSync(path)) continue;
    try {
      const file = await openSqliteFile(path);
      const work = log === BROKER ? skipToEnd(file, isOfReadModel) : rebuildIn(file);
      await work.finally(() => file.close());
    } catch (error) {
      if (!(error instanceof FileUnusable)) throw error;
    }
  }
}
