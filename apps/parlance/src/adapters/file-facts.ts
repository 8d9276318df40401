import { DatabaseSync } from 'node:sqlite';
import { setImmediate } from 'node:timers/promises';
import type { NamingFact } from '../backup/missing-objects.ts';

/** The product may be running in this process, and answers requests in between. */
const ROWS_AT_ONCE = 20;

/** Everything in a service's file of a backup that says which objects there are. */
export async function* factsOfFile(path: string, service: string): AsyncGenerator<NamingFact> {
  const database = new DatabaseSync(path, { readOnly: true });
  let rows = 0;
  try {
    const has = database.prepare("SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = ?");
    if (has.get('subject_keys'))
      for (const { id } of database.prepare('SELECT id FROM subject_keys WHERE shredded = 1').iterate()) {
        if (++rows % ROWS_AT_ONCE === 0) await setImmediate();
        yield { destroyedKey: id as string };
      }
    if (has.get('commits'))
      for (const { stream, events } of database.prepare('SELECT stream, events FROM commits ORDER BY position').iterate()) {
        if (++rows % ROWS_AT_ONCE === 0) await setImmediate();
        yield { service, stream: stream as string, events: events as string };
      }
  } finally {
    database.close();
  }
}
