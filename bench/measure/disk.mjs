// What a data directory takes on disk.
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

const BLOCK = 512;

/** Bytes that each file of a directory takes, by its name. The product that uses it has to be stopped. */
export function bytesKept(directory) {
  const files = readdirSync(directory, { recursive: true, encoding: 'utf8' }).filter((name) => statSync(join(directory, name)).isFile());
  for (const name of files) if (name.endsWith('.db')) checkpoint(join(directory, name));
  return new Map(
    readdirSync(directory, { recursive: true, encoding: 'utf8' }).map((name) => [name, statSync(join(directory, name)).blocks * BLOCK]),
  );
}

export const total = (kept) => [...kept.values()].reduce((sum, bytes) => sum + bytes, 0);

/** So that what is still in the write-ahead log counts once, as a part of the file. */
function checkpoint(path) {
  const db = new DatabaseSync(path);
  db.exec('PRAGMA wal_checkpoint(TRUNCATE)');
  db.close();
}
