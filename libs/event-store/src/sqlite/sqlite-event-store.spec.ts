import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, jest } from '@jest/globals';
import { openSqliteFile } from '@parlance/sqlite';
import { timersOf } from '@parlance/testing';
import { eventStoreContract } from '../../test/contract/contract.ts';
import { onSqlite } from '../../test/contract/on-sqlite.ts';
import { saying } from '../../test/contract/subject.ts';
import { openSqliteEventStore } from './sqlite-event-store.ts';

eventStoreContract('SQLite', () => onSqlite());

describe('a reader that waits for a log on SQLite', () => {
  it.each([
    [true, 0],
    [false, 1],
  ])('looks for appends of other stores, unless its store is alone: %s', async (isAlone, timers) => {
    const directory = await mkdtemp(join(tmpdir(), 'event-store-'));
    const file = await openSqliteFile(join(directory, 'log.sqlite'));
    const store = await openSqliteEventStore(file, { isAlone });
    await store.append(saying('first'));
    const polling = timersOf(jest, 1_000);
    const before = polling.running.length;
    const grown = store.grown(1, new AbortController().signal);
    expect(polling.running.length - before).toBe(timers);
    await store.append(saying('second', { expected: 1 }));
    await grown;
    await store.close();
    await file.close();
    await rm(directory, { recursive: true });
  });
});
