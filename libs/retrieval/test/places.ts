import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SizedIndexes } from '../src/index.ts';
import { openLanceIndexes } from '../src/lance.ts';
import { openSqliteIndexes } from '../src/sqlite.ts';

export async function directory(): Promise<{ path: string; remove(): Promise<void> }> {
  const path = await mkdtemp(join(tmpdir(), 'retrieval-'));
  return { path, remove: () => rm(path, { recursive: true }) };
}

export async function sqlitePlace() {
  const { path, remove } = await directory();
  const indexes = openSqliteIndexes({ directory: path });
  return { path, indexes, remove: () => indexes.close().then(remove) };
}

export async function lancePlace() {
  const { path, remove } = await directory();
  const indexes = await openLanceIndexes({ uri: path });
  return { path, indexes, remove: () => indexes.close().then(remove) };
}

/** Sized indexes with a limit so low that most builds of the contract move. */
export async function sizedPlace(limit = 1) {
  const [small, large] = [await sqlitePlace(), await lancePlace()];
  const indexes = new SizedIndexes({ small: small.indexes, large: large.indexes, limit });
  return {
    indexes,
    small: small.indexes,
    large: large.indexes,
    remove: () => Promise.all([small.remove(), large.remove()]).then(() => undefined),
  };
}
