import type { Batches } from './batches.ts';
import { chained, type Pending, predecessorOf } from './order.ts';
import { remember } from './positions.ts';

/** The newest version of each stream that is known to have a position. Commits of a stream get their positions in the order of versions. */
export class PlacedStreams {
  private readonly versions = new Map<string, number>();

  constructor(private readonly batches: Batches) {}

  place(stream: string, version: number): void {
    remember(this.versions, stream, version);
  }

  /** As `place`, for commits that are read in any order. */
  seen(stream: string, version: number): void {
    if ((this.versions.get(stream) ?? 0) < version) this.place(stream, version);
  }

  /** The pending commits that can get a position now, in the order of their positions. */
  async inOrder(pending: readonly Pending[]): Promise<string[]> {
    const included = new Set(pending.map(({ _id }) => _id));
    const unsure = pending.filter((commit) => {
      const { stream, version } = commit;
      return version > 1 && !included.has(predecessorOf(commit)) && (this.versions.get(stream) ?? 0) < version - 1;
    });
    const ready = await this.batches.positions(unsure.map(predecessorOf));
    return chained(pending, new Set(unsure.filter((commit) => !ready.has(predecessorOf(commit))).map(({ _id }) => _id)));
  }
}
