import type { Watching } from './registry.ts';
import { GONE, LEASE_MS, MARGIN_MS } from './terms.ts';

export interface Look {
  /** No watcher uses a copy without the position. */
  readonly settled: boolean;
  /** Watchers that use no copy at all, so that no revocation waits for them. */
  readonly silent: readonly Watching[];
}

/**
 * The wait until all watchers have seen a position that the rows include. It ends when all have reported the position, and after a lease
 * at the latest: the answer to a poll noted before the wait is valid for one lease at most, and a later poll is answered from rows that
 * include the position. So a lost watcher delays the wait, but never fails it.
 *
 * Times are of this process's clock. Pure: `look` gets the result of a lookup and the time of its return.
 */
export class Awaited {
  private since: number | null = null;
  private readonly beats = new Map<string, string>();

  constructor(private readonly position: number) {}

  look(watchers: readonly Watching[], now: number): Look {
    if (this.since === null) {
      this.since = now;
      for (const { watcher, beat } of watchers) this.beats.set(watcher, beat);
    }
    const leasesAreOver = now - this.since >= LEASE_MS + MARGIN_MS;
    return {
      settled: leasesAreOver || watchers.every(({ seen }) => seen >= this.position),
      silent: watchers.filter(({ watcher, seen, beat }) => seen === GONE || (leasesAreOver && this.beats.get(watcher) === beat)),
    };
  }
}
