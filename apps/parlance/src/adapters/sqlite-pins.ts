import { backup, DatabaseSync } from 'node:sqlite';
import { pathOf, syncPath } from '@parlance/installation';
import type { OnProgress } from '../progress-bar.ts';

/** Pages that are copied before other work of the process gets a thread: 1 MiB. */
const PAGES_AT_ONCE = 256;

/** The state of one file at the moment of the cut. It lasts until `release`; the file's log cannot be truncated meanwhile. */
export interface Pinned {
  readonly log: string;
  /** Copies that state into a new file. Durable when it resolves. */
  copyTo(path: string, onProgress?: OnProgress): Promise<void>;
  release(): void;
}

/**
 * Pins the state of several files at one moment. This is synchronous, and the product makes all its writes on this thread. So nothing is
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

/** The copy becomes one file that needs no log beside it. */
async function finish(path: string): Promise<void> {
  const copy = new DatabaseSync(path);
  // Synced below, on another thread.
  copy.exec('PRAGMA synchronous=OFF; PRAGMA journal_mode=DELETE');
  copy.close();
  await syncPath(path);
}
