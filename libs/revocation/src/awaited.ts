import type { Watching } from './registry.ts';
import { GONE, LEASE_MS, MARGIN_MS } from './terms.ts';

export interface Look {
  /** No watcher goes by a copy without the position any more. */
  readonly settled: boolean;
  /** Watchers that use no copy at all, so that no revocation waits for them. */
  readonly silent: readonly Watching[];
}

/**
 * The wait for all watchers to have seen a position that the rows include. It is over when all say so, and in any case after a
 * lease: a poll that was noted before the wait began was sent before it, so what it was answered holds no longer than
 * that; one noted since is answered from rows that include the position. So a lost watcher delays a wait, and never fails it.
 *
 * Times are this process's own. Pure: `look` is told what was found, and when the finding had come back.
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
