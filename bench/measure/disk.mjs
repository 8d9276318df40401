// The size of a data directory on disk.
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

const BLOCK = 512;

/** The bytes of each file of a directory, by name. The product that uses it must be stopped. */
export function bytesKept(directory) {
  const files = readdirSync(directory, { recursive: true, encoding: 'utf8' }).filter((name) => statSync(join(directory, name)).isFile());
  for (const name of files) if (name.endsWith('.db')) checkpoint(join(directory, name));
  return new Map(
    readdirSync(directory, { recursive: true, encoding: 'utf8' }).map((name) => [name, statSync(join(directory, name)).blocks * BLOCK]),
  );
}

export const total = (kept) => [...kept.values()].reduce((sum, bytes) => sum + bytes, 0);

/** Moves the write-ahead log into the file, so that its content counts once. */
function checkpoint(path) {
  const db = new DatabaseSync(path);
  db.exec('PRAGMA wal_checkpoint(TRUNCATE)');
  db.close();
}
