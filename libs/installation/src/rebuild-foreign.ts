import { existsSync } from 'node:fs';
import { rebuildForeign as rebuildIn } from '@parlance/read-models/sqlite';
import { FileUnusable, openSqliteFile } from '@parlance/sqlite';
import { BROKER } from './file-looks.ts';

/**
 * Makes the next start rebuild all read models of other services' events from the logs. They skip events that are not newer than
 * what they have, so after a loss they would skip the new events that take the places of the lost ones. Groups whose places are beyond the end
 * of a log go back to it at the next start. No other process may have the files open. Files that are not databases are
 * left to the start, which names them.
 */
export async function rebuildForeign(paths: Readonly<Record<string, string>>): Promise<void> {
  for (const [log, path] of Object.entries(paths)) {
    if (log === BROKER || !existsSync(path)) continue;
    try {
      const file = await openSqliteFile(path);
      await rebuildIn(file).finally(() => file.close());
    } catch (error) {
      if (!(error instanceof FileUnusable)) throw error;
    }
  }
}
