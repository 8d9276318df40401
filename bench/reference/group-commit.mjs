// The cost of a bare durable write: one prepared INSERT in a worker thread, all waiting rows in one
// transaction, one sync of the disk (WAL, synchronous=FULL). It checks nothing, reads nothing and notifies nothing.
import { Worker } from 'node:worker_threads';

/** `schema` is the SQL that creates the table, `insert` the SQL that writes a row from a list of values. */
export function openGroupCommit(path, schema, insert) {
  const worker = new Worker(new URL('./group-commit-writer.mjs', import.meta.url), { workerData: { path, schema, insert } });
  const waiting = [];
  let rows = [];
  worker.on('message', (written) => {
    for (const { resolve } of waiting.splice(0, written)) resolve();
  });
  worker.on('error', (error) => {
    for (const { reject } of waiting.splice(0)) reject(error);
  });
  const send = () => {
    worker.postMessage(rows);
    rows = [];
  };
  return {
    /** Resolves when the row is on disk. */
    write(row) {
      if (rows.length === 0) setImmediate(send);
      rows.push(row);
      return new Promise((resolve, reject) => waiting.push({ resolve, reject }));
    },
    close: () => worker.terminate(),
  };
}
