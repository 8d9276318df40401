import { setTimeout as pause } from 'node:timers/promises';
import { nextTurn } from '@parlance/event-loop';

/** Removals that are under way at the same time. The stores write their events together. */
export const REMOVED_AT_ONCE = 8;

/** Milliseconds between two beginnings, so that each is a piece of work of its own on the event loop. Ten thousand take half a minute. */
const SHORTEST_GAP = 2;
/** A removal that waits for another service is no reason to pause for as long. */
const LONGEST_GAP = 20;
/** A removal takes a third of the time of its place, so that commands hardly wait. */
const SHARE = 3;
/** Late timers of a busy machine are made up for, this many milliseconds of them. */
const MOST_BEHIND = 20;

/** Begins removals one after another, with gaps that grow with the time that a removal takes. */
export class Pace {
  private readonly running = new Set<Promise<void>>();
  private lastMillis = 0;
  private due = 0;

  /** Resolves when the removal has begun. It must not reject. */
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

  /** Resolves when all that have begun are over. */
  async end(): Promise<void> {
    await Promise.all(this.running);
  }
}
