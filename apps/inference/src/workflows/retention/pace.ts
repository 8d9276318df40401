import { setTimeout as pause } from 'node:timers/promises';
import { nextTurn } from '@parlance/event-loop';

/** Removals that run at the same time. The stores write their events together. */
export const REMOVED_AT_ONCE = 8;

/** Milliseconds between two starts, so that each removal gets its own turn of the event loop. Ten thousand take half a minute. */
const SHORTEST_GAP = 2;
/** The longest gap, so that a removal that waits long for another service does not cause an equally long pause. */
const LONGEST_GAP = 20;
/** Gaps are three times as long as needed to keep all slots busy, so removals leave two thirds of the time to commands. */
const SHARE = 3;
/** If timers fire late on a busy machine, the next gaps are shortened to catch up, by at most this many milliseconds. */
const MOST_BEHIND = 20;

/** Starts removals one after another. The gaps grow with the duration of a removal. */
export class Pace {
  private readonly running = new Set<Promise<void>>();
  private lastMillis = 0;
  private due = 0;

  /** Resolves when the removal has started. The removal must not reject. */
  async begin(removal: () => Promise<void>): Promise<void> {
    while (this.running.size >= REMOVED_AT_ONCE) await Promise.race(this.running);
    await this.gap();
    const begun = performance.now();
    const running = removal().then(() => {
      this.lastMillis = performance.now() - begun;
      this.running.delete(running);
    });
    this.running.add(running);
  }

  private async gap(): Promise<void> {
    const now = performance.now();
    const gap = Math.min(Math.max((SHARE * this.lastMillis) / REMOVED_AT_ONCE, SHORTEST_GAP), LONGEST_GAP);
    this.due = Math.max(this.due + gap, now - MOST_BEHIND);
    await (this.due > now ? pause(this.due - now) : nextTurn());
  }

  /** Resolves when all started removals have ended. */
  async end(): Promise<void> {
    await Promise.all(this.running);
  }
}
