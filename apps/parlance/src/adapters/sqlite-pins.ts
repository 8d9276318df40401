import { backup, DatabaseSync } from 'node:sqlite';
import { pathOf, syncPath } from '@parlance/installation';
import type { OnProgress } from '../progress-bar.ts';

/** Pages that are copied before other work of the process gets a thread: 1 MiB. */
const PAGES_AT_ONCE = 256;

/** The state of one file at the moment of the cut. Until `release`, the write-ahead log of the file cannot be truncated. */
export interface Pinned {
  readonly log: string;
  /** Copies the pinned state into a new file. The copy is durable when the promise resolves. */
  copyTo(path: string, onProgress?: OnProgress): Promise<void>;
  release(): void;
}

/**
 * Pins the state of several files at one moment. The function is synchronous, and the product writes only on this thread. So nothing is
 * written to any file between the first and the last pin, and events that one service has read from another are in both files.
 */
export function pin(directory: string, logs: readonly string[]): readonly Pinned[] {
  const pinned: Pinned[] = [];
  try {
    for (const log of logs) pinned.push(pinOne(directory, log));
    return pinned;
  } catch (error) {
    for (const each of pinned) each.release();
    throw error;
  }
}

function pinOne(directory: string, log: string): Pinned {
  const source = new DatabaseSync(pathOf(directory, log), { readOnly: true, timeout: 5_000 });
  try {
    source.exec('BEGIN');
    // A read transaction begins with its first read.
    source.prepare('SELECT count(*) FROM sqlite_schema').get();
  } catch (error) {
    source.close();
    throw error;
  }
  return {
    log,
    async copyTo(path, onProgress = () => undefined) {
      await backup(source, path, {
        rate: PAGES_AT_ONCE,
        progress: ({ totalPages, remainingPages }) => onProgress(`${log}.db`, totalPages - remainingPages, totalPages),
      });
      await finish(path);
    },
    release: () => {
      if (source.isOpen) source.close();
    },
  };
}

/** Makes the copy a single file without a write-ahead log. */
async function finish(path: string): Promise<void> {
  const copy = new DatabaseSync(path);
  // The file is synced below, on another thread.
  copy.exec('PRAGMA synchronous=OFF; PRAGMA journal_mode=DELETE');
  copy.close();
  await syncPath(path);
}
