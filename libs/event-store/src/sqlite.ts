import type { SqliteFile, SqlValue } from '@parlance/sqlite';
import {
  type Append,
  type Appended,
  checkAppend,
  type Commit,
  type Earlier,
  EventStore,
  type Metadata,
  namesOf,
  READ_BYTES,
  READ_COMMITS,
  type RecordedEvent,
  type Snapshot,
  StoreClosed,
  VersionConflict,
} from './event-store.ts';
import { Growth } from './growth.ts';
import { Upcasters } from './upcasting.ts';

/** How long a reader sleeps at most when another process appends. */
const POLL_MILLIS = 1_000;

const schema = {
  module: 'event-store',
  steps: [
    `CREATE TABLE commits (
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
     ) WITHOUT ROWID;`,
    `CREATE TABLE once (name TEXT PRIMARY KEY NOT NULL, position INTEGER NOT NULL) WITHOUT ROWID;
     INSERT INTO once SELECT once, position FROM commits WHERE once IS NOT NULL;
     DROP INDEX commits_by_once;`,
  ],
};

/**
 * An integer primary key that isn't given is the largest one plus 1, and nothing is ever deleted here: with writes one after
 * the other, and refused ones rolled back before the next, positions have no gaps.
 */
const APPEND = `
  INSERT INTO commits (stream, version, events, metadata)
  SELECT ?1, ?2 + 1, ?3, ?4
  WHERE coalesce((SELECT max(version) FROM commits WHERE stream = ?1), 0) = ?2`;
const EARLIER = 'SELECT name, stream, version, once.position AS position FROM once JOIN commits USING (position) WHERE name = ?';

interface Row {
  readonly position: number;
  readonly stream: string;
  readonly version: number;
  readonly events: string;
  readonly metadata: string;
}

class SqliteEventStore extends EventStore {
  private readonly growth = new Growth(POLL_MILLIS);

  constructor(
    private readonly file: SqliteFile,
    private readonly upcasters: Upcasters,
  ) {
    super();
  }

  async append(append: Append): Promise<Appended> {
    if (this.growth.ended) throw new StoreClosed();
    checkAppend(append);
    const { stream, expected, metadata, once } = append;
    const events = this.upcasters.record(append.events);
    const params: SqlValue[] = [stream, expected, JSON.stringify(events), JSON.stringify(metadata)];
    const names = namesOf(once);
    const { position, earlier } = await this.file.write((transaction) => {
      const used = names.flatMap((name) => transaction.get<Earlier>(EARLIER, name) ?? []);
      if (used.length > 0) return { position: 0, earlier: used };
      if (transaction.run(APPEND, ...params) === 0) throw new VersionConflict(stream, expected);
      const { at } = transaction.get<{ at: number }>('SELECT last_insert_rowid() AS at')!;
      for (const name of names) transaction.run('INSERT INTO once VALUES (?, ?)', name, at);
      return { position: at, earlier: [] };
    });
    if (position > 0) {
      this.growth.wake();
      return { position, version: expected + 1, written: true, events, earlier };
    }
    const [first] = this.commits({ commits: 1, bytes: 1 }, 'WHERE position = ?', earlier[0]!.position);
    return { position: first!.position, version: first!.version, written: false, events: first!.events, earlier };
  }

  async read(stream: string, after = 0, commits = READ_COMMITS, bytes = READ_BYTES): Promise<readonly Commit[]> {
    return this.commits({ commits, bytes }, 'WHERE stream = ? AND version > ? ORDER BY version', stream, after);
  }

  async readAll(after: number, commits: number, bytes = READ_BYTES): Promise<readonly Commit[]> {
    return this.commits({ commits, bytes }, 'WHERE position > ? ORDER BY position', after);
  }

  async head(): Promise<number> {
    return this.file.get<{ head: number | null }>('SELECT max(position) AS head FROM commits')?.head ?? 0;
  }

  async positionOf(stream: string, version: number): Promise<number> {
    if (version === 0) return 0;
    for (;;) {
      if (this.growth.ended) throw new StoreClosed();
      const row = this.file.get<{ position: number }>('SELECT position FROM commits WHERE stream = ? AND version = ?', stream, version);
      if (row) return row.position;
      await this.growth.wait();
    }
  }

  async grown(after: number, signal: AbortSignal): Promise<void> {
    if ((await this.head()) > after) return;
    await this.growth.wait(signal);
  }

  async loadSnapshot(stream: string): Promise<Snapshot | null> {
    const row = this.file.get<{ version: number; shape: string; state: string }>(
      'SELECT version, shape, state FROM snapshots WHERE stream = ?',
      stream,
    );
    return row ? { version: row.version, shape: row.shape, state: JSON.parse(row.state) as unknown } : null;
  }

  async saveSnapshot(stream: string, { version, shape, state }: Snapshot): Promise<void> {
    await this.file.write([
      { sql: 'INSERT OR REPLACE INTO snapshots VALUES (?, ?, ?, ?)', params: [stream, version, shape, JSON.stringify(state)] },
    ]);
  }

  /** Ends all waiting. The file stays open: it belongs to whoever opened it. */
  async close(): Promise<void> {
    this.growth.end();
  }

  private commits({ commits, bytes }: { commits: number; bytes: number }, where: string, ...params: SqlValue[]): Commit[] {
    const limit = { rows: commits, bytes, sizeOf: (row: Row) => row.events.length };
    const rows = this.file.upTo(limit, `SELECT position, stream, version, events, metadata FROM commits ${where}`, ...params);
    return Array.from(rows, ({ position, stream, version, events, metadata }) => ({
      position,
      stream,
      version,
      events: (JSON.parse(events) as RecordedEvent[]).map((recorded) => this.upcasters.present(recorded)),
      metadata: JSON.parse(metadata) as Metadata,
    }));
  }
}

export interface SqliteEventStoreOptions {
  readonly upcasters?: Upcasters;
}

/** Rejects with `NewerSchema` when a newer program has written the file. */
export async function openSqliteEventStore(
  file: SqliteFile,
  { upcasters = new Upcasters() }: SqliteEventStoreOptions = {},
): Promise<EventStore> {
  await file.migrate(schema);
  return new SqliteEventStore(file, upcasters);
}
