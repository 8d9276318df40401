import { DatabaseSync } from 'node:sqlite';
import { isTurnOver, nextTurn } from '@parlance/event-loop';
import type { NamingFact } from '../backup/missing-objects.ts';

/** Everything in a service's file of a backup that says which objects there are. Reads row by row, with other work in between. */
export async function* factsOfFile(path: string, service: string): AsyncGenerator<NamingFact> {
  const database = new DatabaseSync(path, { readOnly: true });
  try {
    const has = database.prepare("SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = ?");
    if (has.get('subject_keys'))
      // All keys, because a search for the destroyed ones would read the table in one piece.
      for (const { id, shredded } of database.prepare('SELECT id, shredded FROM subject_keys').iterate()) {
        if (isTurnOver()) await nextTurn();
        if (shredded === 1) yield { destroyedKey: id as string };
      }
    if (has.get('commits'))
      for (const { stream, events } of database.prepare('SELECT stream, events FROM commits ORDER BY position').iterate()) {
        if (isTurnOver()) await nextTurn();
        yield { service, stream: stream as string, events: events as string };
      }
  } finally {
    database.close();
  }
}
