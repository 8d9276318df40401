import type { Watching } from './registry.ts';
import { GONE, MARGIN_MS } from './terms.ts';

export interface Look {
  /** True if no watcher uses a copy without the position. */
  readonly settled: boolean;
  /** Watchers that no longer use a copy, so that revocations need not wait for them. */
  readonly silent: readonly Watching[];
}

/**
 * The wait until all watchers have seen a position that the rows include. It ends when all have reported the position, and after a lease at the
 * latest: the answer to a poll noted before the wait is valid for at most one lease, and a later poll is answered from rows that include the
 * position. So a lost watcher delays the wait, but never makes it fail.
 *
 * Times are of this process's clock. The class is pure: `look` gets the registered watchers and the time at which they were read.
 */
export class Awaited {
  private since: number | null = null;
  private readonly beats = new Map<string, string>();

  constructor(
    private readonly position: number,
    private readonly leaseMs: number,
  ) {}

  look(watchers: readonly Watching[], now: number): Look {
    if (this.since === null) {
      this.since = now;
      for (const { watcher, beat } of watchers) this.beats.set(watcher, beat);
    }
    const leasesAreOver = now - this.since >= this.leaseMs + MARGIN_MS;
    return {
      settled: leasesAreOver || watchers.every(({ seen }) => seen >= this.position),
      silent: watchers.filter(({ watcher, seen, beat }) => seen === GONE || (leasesAreOver && this.beats.get(watcher) === beat)),
    };
  }
}
