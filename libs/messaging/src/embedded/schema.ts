import type { Schema } from '@parlance/sqlite';

/** A row's `place` is its partition's id times this, plus its offset. It stays a whole number in JavaScript up to partition 32,767. */
export const OFFSETS = 2 ** 38;

/**
 * Rows of `broker_log` are in order of arrival, so that a batch fills few pages: one of 50 events of 590 bytes writes 1.7 KB of log per
 * event. Rows in order of partition and offset write 2.8 KB. `base` is the oldest offset that a partition may still have.
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
    // From this step on, topics are trimmed. Of the events of 0.2, only those that a group has not read yet are kept.
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
       SELECT e.partition * ${OFFSETS} + e."offset", unixepoch(), e.key, e.event FROM broker_events e JOIN broker_partitions p ON p.id = e.partition
        WHERE e."offset" >= p.base ORDER BY e.rowid;
     DROP TABLE broker_events;`,
    `ALTER TABLE broker_places ADD COLUMN seen INTEGER NOT NULL DEFAULT 0;
     UPDATE broker_places SET seen = unixepoch();`,
    `CREATE INDEX broker_dead_letters_waiting ON broker_dead_letters (grp) WHERE redriven = 0;
     CREATE INDEX broker_dead_letters_by_age ON broker_dead_letters (failed_at);`,
  ],
};
