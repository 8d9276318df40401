import { setImmediate } from 'node:timers/promises';

/** Returns whether it has begun work. */
type Work = () => boolean;

interface Tick {
  readonly at: number;
  readonly work: Work;
}

/** One timer for all periodic work of a process. */
export class Ticks {
  private readonly waiting = new Set<Tick>();
  private timer: NodeJS.Timeout | undefined;
  private wakesAt = Infinity;

  /**
   * Calls `work` once, after half of the interval or more, when the process's clock is next at a multiple of the interval. Work with equal or
   * multiple intervals therefore shares its wake-ups. Returns a function that cancels the call.
   */
  next(millis: number, work: Work): () => void {
    const at = millis * Math.ceil((performance.now() + millis / 2) / millis);
    const tick = { at, work };
    this.waiting.add(tick);
    if (at < this.wakesAt) this.wakeAt(at);
    return () => {
      if (this.waiting.delete(tick) && this.waiting.size === 0) this.wakeAt(Infinity);
    };
  }

  private wakeAt(at: number): void {
    clearTimeout(this.timer);
    this.wakesAt = at;
    if (at < Infinity) this.timer = setTimeout(() => void this.wake(), Math.ceil(at - performance.now()) + 1);
  }

  private async wake(): Promise<void> {
    // Node counts milliseconds from the beginning of a turn, so a timer may elapse a little early.
    const now = performance.now() + 1;
    const due: Tick[] = [];
    let first = Infinity;
    for (const tick of this.waiting) {
      if (tick.at <= now) due.push(tick);
      else first = Math.min(first, tick.at);
    }
    for (const tick of due) this.waiting.delete(tick);
    this.wakeAt(first);
    // Requests need not wait for all of it.
    for (const { work } of due) if (work()) await setImmediate();
  }
}

export const ticks = new Ticks();
