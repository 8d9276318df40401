import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openSqliteFile } from '@parlance/sqlite';
import type { EventStore } from '../event-store.ts';
import { openSqliteEventStore } from '../sqlite/sqlite-event-store.ts';
import type { Upcasters } from '../upcasting.ts';
import type { Subject } from './subject.ts';

/** A log in a file of its own. `dress` wraps every store opened on it. */
export async function onSqlite(dress: (store: EventStore) => EventStore = (store) => store): Promise<Subject> {
  const directory = await mkdtemp(join(tmpdir(), 'event-store-'));
  const ends: (() => Promise<void>)[] = [];
  const again = async (upcasters?: Upcasters) => {
    const file = await openSqliteFile(join(directory, 'log.sqlite'));
    const store = dress(await openSqliteEventStore(file, { ...(upcasters && { upcasters }) }));
    ends.push(
      () => store.close(),
      () => file.close(),
    );
    return store;
  };
  return {
    store: await again(),
    again,
    async end() {
      for (const end of ends) await end();
      await rm(directory, { recursive: true });
    },
  };
}
