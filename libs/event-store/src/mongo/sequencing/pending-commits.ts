import type { Batches } from './batches.ts';
import type { Pending } from './order.ts';

const LARGEST_BATCH = 2_000;

/** The commits that have no position yet: those of this process that it knows to be in no batch, and all that a scan finds. */
export class PendingCommits {
  private readonly own = new Map<string, Pending>();
  private limit = LARGEST_BATCH;

  constructor(private readonly batches: Batches) {}

  /** Commits of this process, the oldest first. */
  ofProcess(): readonly Pending[] {
    return [...this.own.values()].slice(0, LARGEST_BATCH);
  }

  get hasOwn(): boolean {
    return this.own.size > 0;
  }

  addOwn(commit: Pending): void {
    this.own.set(commit._id, commit);
  }

  forgetOwn(): void {
    this.own.clear();
  }

  /** A commit has got its position. Returns whether it was one of this process. */
  placed(id: string): boolean {
    return this.own.delete(id);
  }

  /** A batch was made: the next scan begins with a page of the usual size. */
  batchMade(): void {
    this.limit = LARGEST_BATCH;
  }

  /** All pending commits, oldest first, including the commits of this process. */
  async scan(): Promise<{ readonly commits: readonly Pending[]; readonly isWhole: boolean }> {
    const { limit } = this;
    const found = await this.batches.pending(limit);
    const isWhole = found.length !== limit;
    // There are more. If all commits of this page wait for predecessors beyond it (clocks far apart), a larger page includes them.
    if (!isWhole) this.limit *= 2;
    const pending = new Map<string, Pending>(this.own);
    for (const commit of found) pending.set(commit._id, commit);
    return { commits: [...pending.values()].sort((one, other) => (one.pending! < other.pending! ? -1 : 1)), isWhole };
  }
}
