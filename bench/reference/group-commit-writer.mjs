import { DatabaseSync } from 'node:sqlite';
import { parentPort, receiveMessageOnPort, workerData } from 'node:worker_threads';

const { path, schema, insert } = workerData;
const db = new DatabaseSync(path);
db.exec('PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL');
db.exec(schema);
const [begin, statement, commit] = ['BEGIN IMMEDIATE', insert, 'COMMIT'].map((sql) => db.prepare(sql));

parentPort.on('message', (first) => {
  let written = 0;
  begin.run();
  for (let rows = first; rows; rows = receiveMessageOnPort(parentPort)?.message) {
    for (const row of rows) statement.run(...row);
    written += rows.length;
  }
  commit.run();
  parentPort.postMessage(written);
});
