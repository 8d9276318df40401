import type { SqliteFile, SqlValue, Transaction } from '@parlance/sqlite';
import { type Append, type Appended, checkAppend, type Earlier, namesOf, textOf, VersionConflict } from '../append.ts';
import {
  type Commit,
  EventStore,
  type Page,
  READ_BYTES,
  READ_COMMITS,
  type RecordedEvent,
  SHAPES_KEPT_FOR,
  type Snapshot,
  StoreClosed,
} from '../event-store.ts';
import { Growth } from '../growth.ts';
import { metadataOf, metadataText } from '../metadata.ts';
import { Upcasters } from '../upcasting.ts';
import { RecentCommits } from './recent-commits.ts';
import { schema } from './schema.ts';

/** The longest time until a waiting reader notices an append by another store on the same file. */
const POLL_MILLIS = 1_000;
/** How many names one call of `pruneOnce` deletes, which takes about two milliseconds. */
const NAMES_PRUNED = 500;

/**
 * SQLite sets an omitted integer primary key to the largest key plus 1, and commits are never deleted. Writes run one after the other, and a refused
 * write is rolled back before the next, so positions have no gaps.
 */
const APPEND = `
  INSERT INTO commits (stream, version, events, metadata)
  SELECT ?1, ?2 + 1, ?3, ?4
  WHERE coalesce((SELECT max(version) FROM commits WHERE stream = ?1), 0) = ?2`;
/** Takes 13 µs with the append; a RETURNING clause takes 14.5. */
const NEW_POSITION = 'SELECT last_insert_rowid() AS position';

const EARLIER = 'SELECT name, stream, version, position FROM once JOIN commits USING (position) WHERE name = ?';

interface Row {
  readonly position: number;
  readonly stream: string;
  readonly version: number;
  readonly events: string;
  readonly metadata: string;
}

export interface SqliteEventStoreOptions {
  readonly upcasters?: Upcasters;
  /**
   * Runs in the transaction of each append, after the commit was written, to write rows together with it. If it throws, the append is rolled back. It
   * must be short and synchronous.
   */
  readonly beside?: (transaction: Transaction, commit: Commit) => void;
  /** Whether all appends to the file go through this store. Then it does not look for others. */
  readonly isAlone?: boolean;
}

class SqliteEventStore extends EventStore {
  readonly joinsCompanions = true;
  private readonly growth: Growth;
  private readonly recent = new RecentCommits();
  private readonly upcasters: Upcasters;
  private readonly beside: SqliteEventStoreOptions['beside'];

  constructor(
    private readonly file: SqliteFile,
    { upcasters = new Upcasters(), beside, isAlone = false }: SqliteEventStoreOptions,
  ) {
    super();
    this.growth = new Growth(isAlone ? undefined : POLL_MILLIS);
    this.upcasters = upcasters;
    this.beside = beside;
  }

  async append(append: Append): Promise<Appended> {
    if (this.growth.ended) throw new StoreClosed();
    checkAppend(append, this.joinsCompanions);
    const { stream, expected, metadata, companions = [] } = append;
    const names = namesOf(append.once);
    const events = this.upcasters.record(append.events);
    const text = textOf(events);
    const params: SqlValue[] = [stream, expected, text, metadataText(metadata)];
    const version = expected + 1;

    const appended = await this.file.write((transaction): Appended => {
      const earlier = findNames(names, (sql, name) => transaction.get<Earlier>(sql, name));
      if (earlier.length > 0) return { position: earlier[0]!.position, version: earlier[0]!.version, written: false, events: [], earlier };
      for (const companion of companions) companion(transaction);
      if (transaction.run(APPEND, ...params) === 0) throw new VersionConflict(stream, expected);
      const { position } = transaction.get<{ position: number }>(NEW_POSITION)!;
      for (const name of names) transaction.run('INSERT INTO once VALUES (?, ?)', name, position);
      this.beside?.(transaction, { position, stream, version, events, metadata });
      return { position, version, written: true, events, earlier };
    });
    if (appended.written) {
      this.recent.add({ position: appended.position, stream, version, events, metadata }, text.length);
      this.growth.wake();
    }
    return appended;
  }

  override writesWait(): number {
    return this.file.writesWait();
  }

  async earlier(names: readonly string[]): Promise<readonly Earlier[]> {
    return findNames(names, (sql, name) => this.file.get<Earlier>(sql, name));
  }

  async pruneOnce(before: number): Promise<boolean> {
    const sql = 'DELETE FROM once WHERE name IN (SELECT name FROM once WHERE position < ? ORDER BY position LIMIT ?)';
    return (await this.file.write((transaction) => transaction.run(sql, before, NAMES_PRUNED))) === NAMES_PRUNED;
  }

  async read(stream: string, after = 0, commits = READ_COMMITS, bytes = READ_BYTES): Promise<Page> {
    return this.page(commits, bytes, 'WHERE stream = ? AND version > ? ORDER BY version', stream, after);
  }

  async readAll(after: number, commits: number, bytes = READ_BYTES): Promise<readonly Commit[]> {
    return this.recent.after(after, commits, bytes) ?? this.page(commits, bytes, 'WHERE position > ? ORDER BY position', after).commits;
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
    // Appends of another store on the file, of which this one knows nothing, are noticed by the polling.
    const isAtEnd = after > 0 && after === this.recent.last;
    if (!isAtEnd && (this.recent.last > after || (await this.head()) > after)) return;
    await this.growth.wait(signal);
  }

  async loadSnapshot(stream: string, shape: string): Promise<Snapshot | null> {
    const sql = 'SELECT version, state FROM snapshots WHERE stream = ? AND shape = ?';
    const row = this.file.get<{ version: number; state: string }>(sql, stream, shape);
    return row ? { version: row.version, shape, state: JSON.parse(row.state) as unknown } : null;
  }

  async saveSnapshot(stream: string, { version, shape, state }: Snapshot): Promise<void> {
    const text = JSON.stringify(state);
    await this.file.write((transaction) => {
      transaction.run(
        `INSERT INTO snapshots (stream, shape, version, state) VALUES (?, ?, ?, ?) ON CONFLICT DO UPDATE
         SET version = excluded.version, state = excluded.state WHERE excluded.version > snapshots.version`,
        stream,
        shape,
        version,
        text,
      );
      transaction.run('DELETE FROM snapshots WHERE stream = ? AND shape <> ? AND version < ?', stream, shape, version - SHAPES_KEPT_FOR);
    });
  }

  /** Ends all waits. The file stays open, because it belongs to the caller. */
  async close(): Promise<void> {
    this.growth.end();
  }

  private page(commits: number, bytes: number, where: string, ...params: SqlValue[]): Page {
    let size = 0;
    const limit = { rows: commits, bytes, sizeOf: (row: Row) => ((size += row.events.length), row.events.length) };
    const rows = this.file.upTo(limit, `SELECT position, stream, version, events, metadata FROM commits ${where}`, ...params);
    return { commits: Array.from(rows, (row) => this.commit(row)), more: rows.length >= commits || size >= bytes };
  }

  private commit({ position, stream, version, events, metadata }: Row): Commit {
    return {
      position,
      stream,
      version,
      events: (JSON.parse(events) as RecordedEvent[]).map((recorded) => this.upcasters.present(recorded)),
      metadata: metadataOf(metadata),
    };
  }
}

function findNames(names: readonly string[], get: (sql: string, name: string) => Earlier | undefined): readonly Earlier[] {
  return names.flatMap((name) => {
    const found = get(EARLIER, name);
    return found ? [{ ...found }] : [];
  });
}

/** Rejects with `NewerSchema` if a newer program has written the file. */
export async function openSqliteEventStore(file: SqliteFile, options: SqliteEventStoreOptions = {}): Promise<EventStore> {
  await file.migrate(schema);
  return new SqliteEventStore(file, options);
}

/** The position of the newest commit, read inside a unit of work on the same file. */
export function headOf(transaction: Transaction): number {
  return transaction.get<{ head: number | null }>('SELECT max(position) AS head FROM commits')?.head ?? 0;
}
