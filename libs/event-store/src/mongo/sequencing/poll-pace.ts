/** How often an idle process checks whether another process has appended. This determines its load on the database. */
const IDLE_POLL_MILLIS = 500;
/** The same if changes of the tail are noticed at once. */
export const WATCHED_POLL_MILLIS = 10_500;
/** The same while a caller waits for a position, and for some time after another process has appended. */
const BUSY_POLL_MILLIS = 100;
const BUSY_FOR_MILLIS = 5_000;

/** How long a sequencer waits until it reads the tail again. */
export class PollPace {
  /** Whether the last round failed. */
  hasFailed = false;
  private busyUntil = 0;

  constructor(private readonly isWatched: () => boolean) {}

  /** Another process has appended. */
  speedUp(): void {
    this.busyUntil = performance.now() + BUSY_FOR_MILLIS;
  }

  millis(isAwaited: boolean): number {
    if (isAwaited) return BUSY_POLL_MILLIS;
    if (this.hasFailed) return IDLE_POLL_MILLIS;
    if (this.isWatched()) return WATCHED_POLL_MILLIS;
    return performance.now() < this.busyUntil ? BUSY_POLL_MILLIS : IDLE_POLL_MILLIS;
  }
}
