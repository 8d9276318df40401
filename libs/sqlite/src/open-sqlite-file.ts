import { closeSync, fdatasync, openSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { promisify } from 'node:util';
import { FileUnusable } from './errors.ts';
import { holdDescriptor } from './file-descriptor.ts';
import { assertSafe } from './sqlite-version.ts';
import { type Connections, QueuedSqliteFile } from './queued-sqlite-file.ts';
import type { SqliteFile } from './sqlite-file.ts';

export interface SqliteFileOptions {
  /** Syncs a descriptor: of the log, of the file, and once of its directory. Tests of failing disks replace it. */
  readonly sync?: (fd: number) => Promise<void>;
  /**
   * Called if a sync of the log or of the file has failed. The content of the disk is then unknown, so the process must end and read the file again. The
   * default throws an uncaught error.
   */
  readonly onSyncFailed?: (error: Error) => void;
  /** Called if the log could not be moved into the file. The move is retried when the log has doubled. Nothing is lost, but the log grows until a move succeeds. */
  readonly onMoveFailed?: (error: Error) => void;
  /** Called when the file refused a group of writes, as on a full disk. */
  readonly onWriteFailed?: (error: Error) => void;
  /** Milliseconds of a monotonic clock. Tests replace it. */
  readonly now?: () => number;
}

/** Opens or creates a file. Rejects with `FileUnusable`. */
export async function openSqliteFile(path: string, options: SqliteFileOptions = {}): Promise<SqliteFile> {
  const sync = options.sync ?? promisify(fdatasync);
  try {
    const connections = connect(path);
    try {
      // A killed predecessor may have left commits only in the page cache. They must be durable before they are read.
      await sync(connections.log);
      // The log is a new file after each close, and SQLite syncs the log's name only if it syncs the log itself.
      await syncDirectory(dirname(path), sync);
      const { onSyncFailed = endProcess, onMoveFailed = () => undefined, onWriteFailed = () => undefined } = options;
      const { now = () => performance.now() } = options;
      return new QueuedSqliteFile(path, connections, sync, { onSyncFailed, onMoveFailed, onWriteFailed }, now);
    } catch (error) {
      disconnect(connections);
      throw error;
    }
  } catch (error) {
    throw new FileUnusable(path, error);
  }
}

function connect(path: string): Connections {
  const writer = new DatabaseSync(path, { enableForeignKeyConstraints: true, timeout: 5_000 });
  let reader: DatabaseSync | undefined;
  let log: number | undefined;
  try {
    assertSafe(writer.prepare('SELECT sqlite_version() AS version').get() as { version: string });
    const { journal_mode: mode } = writer.prepare('PRAGMA journal_mode=WAL').get() as { journal_mode: string };
    if (mode !== 'wal') throw new Error(`the journal mode is ${mode} here, not wal`);
    // `QueuedSqliteFile` syncs commits before it acknowledges them, and the checkpoint thread syncs the log before it copies pages. SQLite itself
    // syncs the header when it reuses the log from its beginning. With OFF, a power failure could leave the old header before a mix of old and new
    // frames, and recovery would then overwrite newer pages with old ones.
    writer.exec('PRAGMA synchronous=NORMAL; PRAGMA wal_autocheckpoint=0; BEGIN IMMEDIATE; COMMIT');
    // SQLite copies pages before a unit or statement changes them, so that it can be rolled back. More than 64 KB of copies would go to a file.
    writer.exec('PRAGMA temp_store=MEMORY');
    // A log that grew beyond this size while another connection read is truncated when it is reused.
    writer.exec(`PRAGMA journal_size_limit=${16 * 1024 * 1024}`);
    reader = new DatabaseSync(path, { timeout: 5_000 });
    reader.exec('PRAGMA query_only=ON');
    log = openSync(`${path}-wal`, 'r');
    return { writer, reader, log, file: holdDescriptor(path) };
  } catch (error) {
    if (log !== undefined) closeSync(log);
    reader?.close();
    writer.close();
    throw error;
  }
}

function disconnect({ writer, reader, log, file }: Connections): void {
  closeSync(log);
  reader.close();
  writer.close();
  file.release();
}

/** Syncs a directory, because a new file is durable only if its name is on disk too. */
async function syncDirectory(path: string, sync: (fd: number) => Promise<void>): Promise<void> {
  const directory = await open(path, 'r');
  await sync(directory.fd).finally(() => directory.close());
}

function endProcess(error: Error): void {
  setImmediate(() => {
    throw error;
  });
}
