// Node runs this source without compiling it in tests: only `node:` imports and erasable types.
import { DatabaseSync } from 'node:sqlite';
import { parentPort } from 'node:worker_threads';
import type { CheckpointAnswer, CheckpointRequest } from './checkpointer.ts';

const port = parentPort!;

/** Opens a new connection each time, so that this thread does not keep a file open that its owner wants to close. */
function checkpoint({ id, path, mode }: CheckpointRequest): CheckpointAnswer {
  let database: DatabaseSync | undefined;
  try {
    database = new DatabaseSync(path, { timeout: 100 });
    // FULL: the log is synced before its pages are copied, and the file before the log is truncated.
    database.exec('PRAGMA synchronous=FULL');
    const { busy } = database.prepare(`PRAGMA wal_checkpoint(${mode})`).get() as { busy: number };
    return { id, busy: busy !== 0 };
  } catch (error) {
    const { message, errcode } = error as Error & { readonly errcode?: number };
    return { id, error: message, sqliteCode: errcode };
  } finally {
    database?.close();
  }
}

port.on('message', (request: CheckpointRequest) => port.postMessage(checkpoint(request)));
