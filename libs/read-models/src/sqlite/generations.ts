import type { Transaction } from '@parlance/sqlite';
import { firstIdOf, generationOf } from '../declared.ts';
import type { Generation } from '../read-models.ts';
import type { TableOwner } from '../table.ts';

/** The slash is the character after the dot in ASCII. */
const OF_VERSION = `SELECT id, ready, used_at AS usedAt FROM read_model_progress
  WHERE line = '' AND leaving = 0 AND (id = ?1 OR (id > ?1 || '.' AND id < ?1 || '/'))`;

/** The stored generations of a version, oldest first. */
export function generationsOf(file: Pick<Transaction, 'all'>, owner: TableOwner): Generation[] {
  const found = file.all<{ id: string; ready: number; usedAt: number }>(OF_VERSION, firstIdOf(owner));
  return Array.from(found, ({ id, ready, usedAt }) => ({ number: generationOf(owner, id), ready: ready === 1, usedAt }))
    .filter((one): one is Generation => one.number !== null)
    .sort((one, other) => one.number - other.number);
}
