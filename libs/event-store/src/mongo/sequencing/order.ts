import { type CommitDocument, idOf } from '../documents.ts';

export type Pending = Pick<CommitDocument, '_id' | 'stream' | 'version' | 'pending'>;

/** The ID of the previous commit of the stream, which needs its position first. */
export function predecessorOf({ stream, version }: Pending): string {
  return idOf(stream, version - 1);
}

/** Keeps the given order, but moves each commit after its predecessor. Leaves out the excluded commits and their successors. */
export function chained(pending: readonly Pending[], excluded: ReadonlySet<string>): string[] {
  const included = new Set(pending.map(({ _id }) => _id));
  const followers = new Map<string, string>();
  const order = new Set<string>();
  for (const commit of pending) {
    if (excluded.has(commit._id)) continue;
    const predecessor = predecessorOf(commit);
    if (included.has(predecessor) && !order.has(predecessor)) {
      followers.set(predecessor, commit._id);
      continue;
    }
    for (let id: string | undefined = commit._id; id !== undefined; id = followers.get(id)) order.add(id);
  }
  return [...order];
}
