/**
 * Hands out turns of the event loop, one to a turn, in the order in which they were asked for. Work that is done in slices
 * of a few milliseconds, each behind a turn of its own, holds up everything else for one slice, however many such works there are.
 */
export class Turns {
  private readonly waiting: (() => void)[] = [];

  next(): Promise<void> {
    return new Promise((resolve) => {
      this.waiting.push(resolve);
      if (this.waiting.length === 1) setImmediate(this.give);
    });
  }

  private readonly give = (): void => {
    this.waiting[0]?.();
    // Asked for in the callbacks of this turn or before: served in a later turn.
    setImmediate(() => {
      this.waiting.shift();
      if (this.waiting.length > 0) this.give();
    });
  };
}

/** Of this process, which has one event loop. */
export const turns = new Turns();

/** Milliseconds of one slice. */
export const SLICE_MS = 4;
