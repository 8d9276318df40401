import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { openSqliteFile, type SqliteFile } from '@parlance/sqlite';
import { metadata, said, saying, words } from '../../test/contract/subject.ts';
import type { EventStore } from '../event-store.ts';
import { openSqliteEventStore } from './sqlite-event-store.ts';

/** Writes a file as release 0.2 did: its tables, and rows written with its statements. */
function writeOldFile(path: string): void {
  const database = new DatabaseSync(path);
  database.exec(`
    PRAGMA journal_mode=WAL;
    CREATE TABLE schema_steps (module TEXT NOT NULL, step INTEGER NOT NULL, PRIMARY KEY (module, step)) WITHOUT ROWID;
    CREATE TABLE commits (
      position INTEGER PRIMARY KEY,
      stream TEXT NOT NULL,
      version INTEGER NOT NULL,
      once TEXT,
      events TEXT NOT NULL,
      metadata TEXT NOT NULL
    );
    CREATE UNIQUE INDEX commits_by_version ON commits (stream, version);
    CREATE UNIQUE INDEX commits_by_once ON commits (once) WHERE once IS NOT NULL;
    CREATE TABLE snapshots (
      stream TEXT PRIMARY KEY,
      version INTEGER NOT NULL,
      shape TEXT NOT NULL,
      state TEXT NOT NULL
    ) WITHOUT ROWID;
    INSERT INTO schema_steps VALUES ('event-store', 1);
    INSERT INTO snapshots VALUES ('a', 2, 'v1', '"one two "');
  `);
  const append = database.prepare(`
    INSERT INTO commits (stream, version, once, events, metadata)
    SELECT ?1, ?2 + 1, ?3, ?4, ?5
    WHERE coalesce((SELECT max(version) FROM commits WHERE stream = ?1), 0) = ?2
      AND NOT EXISTS (SELECT 1 FROM commits WHERE once = ?3)`);
  const commit = (stream: string, expected: number, once: string | null, text: string) => {
    const events = [{ id: '01ARZ3NDEKTSV4RRFFQ69G5FAV', schema: 1, event: said(text) }];
    append.run(stream, expected, once, JSON.stringify(events), JSON.stringify(metadata));
  };
  commit('a', 0, 'policy:one', 'one');
  commit('b', 0, null, 'nameless');
  commit('a', 1, 'policy:two', 'two');
  database.close();
}

describe('a log written by release 0.2', () => {
  let directory: string;
  let file: SqliteFile;
  let store: EventStore;

  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), 'event-store-'));
    const path = join(directory, 'old.db');
    writeOldFile(path);
    file = await openSqliteFile(path);
    store = await openSqliteEventStore(file);
  });
  afterEach(async () => {
    await store.close();
    await file.close();
    await rm(directory, { recursive: true });
  });

  it('keeps its commits at their positions', async () => {
    const commits = await store.readAll(0, 10);
    expect(commits.map(({ position, stream, version }) => [position, stream, version])).toEqual([
      [1, 'a', 1],
      [2, 'b', 1],
      [3, 'a', 2],
    ]);
    expect(words(commits)).toEqual(['one', 'nameless', 'two']);
    expect((await store.append(saying('three', { expected: 2 }))).position).toBe(4);
  });

  it('keeps its names, so that nothing takes effect twice', async () => {
    expect(await store.earlier(['policy:two', 'policy:three', 'policy:one'])).toEqual([
      { name: 'policy:two', stream: 'a', version: 2, position: 3 },
      { name: 'policy:one', stream: 'a', version: 1, position: 1 },
    ]);
    expect((await store.append(saying('again', { expected: 2, once: 'policy:two' }))).written).toBe(false);
    expect((await store.append(saying('new', { expected: 2, once: 'policy:three' }))).written).toBe(true);
  });

  it('deletes its names by age like new ones', async () => {
    while (await store.pruneOnce(3)) expect(true).toBe(true);
    expect((await store.earlier(['policy:one', 'policy:two'])).map(({ name }) => name)).toEqual(['policy:two']);
  });

  it('keeps its snapshots', async () => {
    expect(await store.loadSnapshot('a', 'v1')).toEqual({ version: 2, shape: 'v1', state: 'one two ' });
  });

  it('is migrated once', async () => {
    await store.append(saying('three', { expected: 2, once: 'policy:three' }));
    const again = await openSqliteEventStore(file);
    expect((await again.earlier(['policy:three'])).length).toBe(1);
    await again.close();
  });
});
