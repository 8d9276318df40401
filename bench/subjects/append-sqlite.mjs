// Runs one side of the comparison: the event store, or the bare worker that writes the same bytes.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { openSqliteEventStore } from '@parlance/event-store/sqlite';
import { openSqliteFile } from '@parlance/sqlite';
import { openGroupCommit } from '../reference/group-commit.mjs';
import { event, keepWriting, metadata, recorded } from './writers.mjs';

const [side, warmSeconds, seconds] = process.argv.slice(2);
const directory = await mkdtemp(join(tmpdir(), 'parlance-bench-'));
const path = join(directory, 'log.db');
process.on('disconnect', () => process.exit());

const sides = {
  async store() {
    const file = await openSqliteFile(path);
    const store = await openSqliteEventStore(file);
    const append = (stream, expected) => store.append({ stream, expected, events: [event], metadata });
    const close = async () => {
      await store.close();
      await file.close();
    };
    return { append, close, rows: 'SELECT count(*) AS rows, max(position) AS last FROM commits' };
  },
  async bare() {
    const texts = [recorded, JSON.stringify(metadata)];
    const worker = openGroupCommit(
      path,
      `CREATE TABLE log (position INTEGER PRIMARY KEY, stream TEXT NOT NULL, version INTEGER NOT NULL, events TEXT NOT NULL,
         metadata TEXT NOT NULL, UNIQUE (stream, version))`,
      'INSERT INTO log (stream, version, events, metadata) VALUES (?, ?, ?, ?)',
    );
    const append = (stream, expected) => worker.write([stream, expected + 1, ...texts]);
    return { append, close: () => worker.close(), rows: 'SELECT count(*) AS rows, max(position) AS last FROM log' };
  },
};

const { append, close, rows } = await sides[side]();
const figures = await keepWriting(append, { warmSeconds: Number(warmSeconds), seconds: Number(seconds) });
await close();
const db = new DatabaseSync(path, { readOnly: true });
const found = db.prepare(rows).get();
db.close();
await rm(directory, { recursive: true });
process.send({ ...figures, ...found }, () => process.disconnect());
