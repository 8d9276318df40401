/**
 * Grants turns of the event loop, one request per turn, in the order of the requests. If tasks with slices of a few milliseconds wait for a turn
 * before each slice, they delay everything else by at most one slice, however many such tasks there are.
 */
export class Turns {
  private readonly waiting: (() => void)[] = [];

  next(): Promise<void> {
    return new Promise((resolve) => {
      this.waiting.push(resolve);
      if (this.waiting.length === 1) setImmediate(this.grantNext);
    });
  }

  private readonly grantNext = (): void => {
    this.waiting[0]?.();
    // A request from this turn or an earlier one is granted in a later turn.
    setImmediate(() => {
      this.waiting.shift();
      if (this.waiting.length > 0) this.grantNext();
    });
  };
}

/** The turns of this process, which has one event loop. */
export const turns = new Turns();
