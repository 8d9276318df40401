import type { Schema } from '@parlance/sqlite';
import { offsetOf } from './entry.ts';

/** Up to 0.3, the `place` of a row of `broker_log` was its partition's id times this, plus its offset. */
const PLACES = 2 ** 38;
/** Beyond every log. */
const END = Number.MAX_SAFE_INTEGER;

/** The `sequence` of an event that release 0.3 stored: `position.index`. */
const sequenceIn = (table: string) =>
  `CASE WHEN ${table}.event LIKE '{%' THEN ${table}.event ->> '$.sequence' ELSE ${table}.event ->> '$[1]' END`;
/** The offset of the first event of its commit, because indexes used to count private events too. */
const offsetIn = (table: string) => `CAST(${sequenceIn(table)} AS INTEGER) * ${offsetOf(1)}`;
/** For the same reason, an offset that no event has, so that no later letter replaces this one. */
const offsetOfLetter = `(SELECT CAST(s AS INTEGER) * ${offsetOf(1)} + ${offsetOf(1) / 2} + CAST(substr(s, instr(s || '.', '.') + 1) AS INTEGER)
             FROM (SELECT ${sequenceIn('d')} AS s))`;

/** `inference` for `parlance.inference`. */
const sourceOf = (topic: string) => `substr(${topic}, instr(${topic}, '.') + 1)`;

/**
 * Up to step 9 (0.3), public events were copied here from the logs of the services. Step 10 keeps only how far each group has handled
 * each log: the first of the copied events that it has not handled. `Cursors.takeOver` then limits that to the events that
 * were copied for certain, which is known in the file of the service. A release before this step refuses the file.
 */
export const schema: Schema = {
  module: 'broker',
  steps: [
    `CREATE TABLE broker_partitions (id INTEGER PRIMARY KEY, topic TEXT NOT NULL, number INTEGER NOT NULL, UNIQUE (topic, number))`,
    `CREATE TABLE broker_events (partition INTEGER NOT NULL, "offset" INTEGER NOT NULL, key TEXT NOT NULL, event TEXT NOT NULL,
       PRIMARY KEY (partition, "offset"))`,
    `CREATE TABLE broker_publishers (name TEXT PRIMARY KEY, epoch INTEGER NOT NULL) WITHOUT ROWID`,
    `CREATE TABLE broker_places (grp TEXT NOT NULL, partition INTEGER NOT NULL, next INTEGER NOT NULL, PRIMARY KEY (grp, partition)) WITHOUT ROWID`,
    `CREATE TABLE broker_dead_letters (id INTEGER PRIMARY KEY AUTOINCREMENT, grp TEXT NOT NULL, partition INTEGER NOT NULL, "offset" INTEGER NOT NULL,
       reason TEXT NOT NULL, failed_at TEXT NOT NULL, redriven INTEGER NOT NULL DEFAULT 0, UNIQUE (grp, partition, "offset"))`,
    // From this step on, topics are trimmed. Of the events of release 0.2, only those are kept that some group has not read yet.
    `ALTER TABLE broker_dead_letters ADD COLUMN key TEXT NOT NULL DEFAULT '';
     ALTER TABLE broker_dead_letters ADD COLUMN event TEXT NOT NULL DEFAULT '';
     UPDATE broker_dead_letters AS d SET (key, event) =
       (SELECT e.key, e.event FROM broker_events e WHERE e.partition = d.partition AND e."offset" = d."offset");`,
    `ALTER TABLE broker_partitions ADD COLUMN base INTEGER NOT NULL DEFAULT 0;
     UPDATE broker_partitions AS p SET base = coalesce(
       (SELECT min(g.next) FROM broker_places g WHERE g.partition = p.id),
       (SELECT max(e."offset") + 1 FROM broker_events e WHERE e.partition = p.id), 0);
     CREATE TABLE broker_log (id INTEGER PRIMARY KEY, place INTEGER NOT NULL UNIQUE, at INTEGER NOT NULL, key TEXT NOT NULL, event TEXT NOT NULL);
     INSERT INTO broker_log (place, at, key, event)
       SELECT e.partition * ${PLACES} + e."offset", unixepoch(), e.key, e.event FROM broker_events e JOIN broker_partitions p ON p.id = e.partition
        WHERE e."offset" >= p.base ORDER BY e.rowid;
     DROP TABLE broker_events;`,
    `ALTER TABLE broker_places ADD COLUMN seen INTEGER NOT NULL DEFAULT 0;
     UPDATE broker_places SET seen = unixepoch();`,
    `CREATE INDEX broker_dead_letters_waiting ON broker_dead_letters (grp) WHERE redriven = 0;
     CREATE INDEX broker_dead_letters_by_age ON broker_dead_letters (failed_at);`,
    `CREATE TABLE broker_cursors (grp TEXT NOT NULL, source TEXT NOT NULL, topic TEXT NOT NULL, partition INTEGER NOT NULL, next INTEGER NOT NULL,
       seen INTEGER NOT NULL, PRIMARY KEY (grp, source, topic, partition)) WITHOUT ROWID;
     INSERT INTO broker_cursors (grp, source, topic, partition, next, seen)
       SELECT g.grp, ${sourceOf('p.topic')}, p.topic, p.number, coalesce(
                (SELECT min(${offsetIn('l')}) FROM broker_log l
                  WHERE l.place >= p.id * ${PLACES} + g.next AND l.place < (p.id + 1) * ${PLACES}), ${END}), g.seen
         FROM broker_places g JOIN broker_partitions p ON p.id = g.partition;
     CREATE TABLE broker_taken_over (source TEXT PRIMARY KEY) WITHOUT ROWID;
     INSERT INTO broker_taken_over SELECT DISTINCT source FROM broker_cursors;
     CREATE TABLE broker_letters (id INTEGER PRIMARY KEY AUTOINCREMENT, grp TEXT NOT NULL, source TEXT NOT NULL, topic TEXT NOT NULL,
       partition INTEGER NOT NULL, "offset" INTEGER NOT NULL, key TEXT NOT NULL, event TEXT NOT NULL, reason TEXT NOT NULL, failed_at TEXT NOT NULL,
       redriven INTEGER NOT NULL DEFAULT 0, UNIQUE (grp, source, topic, partition, "offset"));
     INSERT OR REPLACE INTO broker_letters (id, grp, source, topic, partition, "offset", key, event, reason, failed_at, redriven)
       SELECT d.id, d.grp, ${sourceOf('p.topic')}, p.topic, p.number, coalesce(${offsetOfLetter}, d.id), d.key, d.event, d.reason, d.failed_at, d.redriven
         FROM broker_dead_letters d JOIN broker_partitions p ON p.id = d.partition WHERE d.event <> '' ORDER BY d.id;
     CREATE INDEX broker_letters_waiting ON broker_letters (grp) WHERE redriven = 0;
     CREATE INDEX broker_letters_by_age ON broker_letters (failed_at);
     DROP TABLE broker_log; DROP TABLE broker_places; DROP TABLE broker_dead_letters; DROP TABLE broker_partitions; DROP TABLE broker_publishers;`,
  ],
};
