import { SystemTime } from '../src/time.ts';

/** The time that passes per turn of the event loop. A lease takes two hundred turns. */
const MILLIS_OF_A_TURN = 10;

/**
 * A clock that advances with the turns of the event loop, and only while something sleeps. A short stop of the machine changes nothing: whatever
 * was due within some turns still happens within them.
 */
export class TimeByTurns extends SystemTime {
  private now = 0;
  private isTurning = false;
  private readonly sleepers = new Set<{ readonly until: number; wake(): void }>();

  override steady(): number {
    return this.now;
  }

  override sleep(millis: number, signal?: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      if (signal?.aborted) return resolve();
      const wake = () => {
        this.sleepers.delete(sleeper);
        signal?.removeEventListener('abort', wake);
        resolve();
      };
      const sleeper = { until: this.now + millis, wake };
      signal?.addEventListener('abort', wake);
      this.sleepers.add(sleeper);
      this.turn();
    });
  }

  private turn(): void {
    if (this.isTurning || this.sleepers.size === 0) return;
    this.isTurning = true;
    setImmediate(() => {
      this.isTurning = false;
      this.now += MILLIS_OF_A_TURN;
      for (const { until, wake } of this.sleepers) if (until <= this.now) wake();
      this.turn();
    });
  }
}

/** A clock that stands still, so that no limit is reached. Pauses between two checks still take real time. */
export class EndlessTime extends SystemTime {
  override steady(): number {
    return 0;
  }
}
