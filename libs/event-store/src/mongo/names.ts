import type { Collection } from 'mongodb';
import { type Earlier, namesOf } from '../append.ts';
import type { Collections, CommitDocument } from './documents.ts';

/** The number of positions whose names one call of `pruneOnce` deletes. */
const PRUNED_AT_ONCE = 1_000;

/** The names among these that commits used. */
export async function earlierOf(commits: Collection<CommitDocument>, names: readonly string[]): Promise<readonly Earlier[]> {
  if (names.length === 0) return [];
  const wanted = new Set(names);
  const projection = { once: 1, stream: 1, version: 1, position: 1 } as const;
  const found = await commits.find({ once: { $in: names } }, { projection }).toArray();
  return found.flatMap(({ once, stream, version, position = 0 }) =>
    namesOf(once).flatMap((name) => (wanted.has(name) ? [{ name, stream, version, position }] : [])),
  );
}

/** Deletes the names of the next commits before a position. False if none is left. */
export async function pruneNames({ commits, pruned }: Collections, before: number): Promise<boolean> {
  const _id = 'pruned names';
  const { before: from = 1, keptUntil } = (await pruned.findOne({ _id })) ?? {};
  if (keptUntil && keptUntil.getTime() > Date.now()) return false;
  const to = Math.min(from + PRUNED_AT_ONCE, before);
  if (to <= from) return false;
  await commits.updateMany({ position: { $gte: from, $lt: to }, once: { $exists: true } }, { $unset: { once: '' } });
  await pruned.updateOne({ _id }, { $max: { before: to } }, { upsert: true });
  return to < before;
}
