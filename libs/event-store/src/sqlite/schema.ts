import type { Schema } from '@parlance/sqlite';

export const schema: Schema = {
  module: 'event-store',
  steps: [
    `CREATE TABLE commits (
       position INTEGER PRIMARY KEY,
       stream TEXT NOT NULL,
       version INTEGER NOT NULL,
       once TEXT,
       events TEXT NOT NULL,
       metadata TEXT NOT NULL
     );
     CREATE UNIQUE INDEX commits_by_version ON commits (stream, version);
     CREATE UNIQUE INDEX commits_by_once ON commits (once) WHERE once IS NOT NULL;
     CREATE TABLE snapshots (
       stream TEXT PRIMARY KEY,
       version INTEGER NOT NULL,
       shape TEXT NOT NULL,
       state TEXT NOT NULL
     ) WITHOUT ROWID;`,
    // Names move to a separate table, because a commit can have several names, and names are deleted while commits stay. The column commits.once
    // remains, because removing it would rewrite every commit.
    `CREATE TABLE once (name TEXT PRIMARY KEY, position INTEGER NOT NULL) WITHOUT ROWID;
     INSERT INTO once SELECT once, position FROM commits WHERE once IS NOT NULL ORDER BY once;
     CREATE INDEX once_by_position ON once (position);
     DROP INDEX commits_by_once;
     ALTER TABLE snapshots RENAME TO snapshots_of_one_shape;
     CREATE TABLE snapshots (
       stream TEXT NOT NULL,
       shape TEXT NOT NULL,
       version INTEGER NOT NULL,
       state TEXT NOT NULL,
       PRIMARY KEY (stream, shape)
     );
     INSERT INTO snapshots SELECT stream, shape, version, state FROM snapshots_of_one_shape;
     DROP TABLE snapshots_of_one_shape;`,
  ],
};
