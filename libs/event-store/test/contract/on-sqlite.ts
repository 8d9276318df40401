import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openSqliteFile, type Transaction } from '@parlance/sqlite';
import type { Commit, EventStore } from '../../src/event-store.ts';
import { openSqliteEventStore } from '../../src/sqlite/sqlite-event-store.ts';
import type { Upcasters } from '../../src/upcasting.ts';
import type { Joined, Subject } from './subject.ts';

/** A log in its own file. `dress` wraps every store that is opened on it. */
export async function onSqlite(wrap: (store: EventStore) => EventStore = (store) => store): Promise<Subject & { joined: Joined }> {
  const directory = await mkdtemp(join(tmpdir(), 'event-store-'));
  const ends: (() => Promise<void>)[] = [];
  let run: ((transaction: Transaction, commit: Commit) => void) | undefined;
  const open = async (upcasters?: Upcasters) => {
    const file = await openSqliteFile(join(directory, 'log.sqlite'));
    const beside = (transaction: Transaction, commit: Commit) => run?.(transaction, commit);
    const store = wrap(await openSqliteEventStore(file, { beside, ...(upcasters && { upcasters }) }));
    ends.push(
      () => store.close(),
      () => file.close(),
    );
    return { file, store };
  };
  const { file, store } = await open();
  await file.write((transaction) => transaction.run('CREATE TABLE notes (text TEXT NOT NULL)'));
  return {
    store,
    again: async (upcasters) => (await open(upcasters)).store,
    joined: {
      notes: () => Array.from(file.all<{ text: string }>('SELECT text FROM notes ORDER BY rowid'), ({ text }) => text),
      note: (text) => (transaction) => void transaction.run('INSERT INTO notes VALUES (?)', text),
      beside: (work) => (run = work),
    },
    async end() {
      for (const end of ends) await end();
      await rm(directory, { recursive: true });
    },
  };
}
