import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import { RequestContext } from '@parlance/observability';
import { type Pace, usualPace } from './process/pace.ts';
import { ticks } from './process/ticks.ts';

/** The shortest interval at which resting work is checked for something to do. */
const RESTS_MS = 1_000;

/** Periodic work of a service. Runs of one timer never overlap, an error ends only its run, and `stop` waits for current runs. */
export class Timers {
  private readonly runs = new Set<Promise<void>>();
  private readonly cancels = new Set<() => void>();
  private stopped = false;

  constructor(
    private readonly log: Logger,
    private readonly pace: Pace['timer'] = usualPace.timer,
  ) {}

  /** `mayRest`: whether the run that is due can be skipped, because it would find nothing to do. */
  every(millis: number, name: string, work: () => Promise<void>, mayRest: () => boolean = () => false): void {
    const runOnce = async () => {
      try {
        await RequestContext.run(RequestContext.background(), work);
      } catch (error) {
        this.log.error({ err: error, timer: name }, 'a timer failed; it will run again');
      }
    };
    const rests = () => {
      try {
        return mayRest();
      } catch {
        // The run fails for the same reason, and reports it.
        return false;
      }
    };
    const wait = (pause = millis) => {
      if (this.stopped) return;
      const cancel = ticks.next(this.pace(pause), () => {
        this.cancels.delete(cancel);
        if (this.stopped) return false;
        if (rests()) {
          wait(Math.max(millis, RESTS_MS));
          return false;
        }
        const running = runOnce().finally(() => {
          this.runs.delete(running);
          wait();
        });
        this.runs.add(running);
        return true;
      });
      this.cancels.add(cancel);
    };
    wait();
  }

  /** A usual pause, at the configured pace. */
  paced(millis: number): number {
    return this.pace(millis);
  }

  /** A pause between two checks, at the configured pace. The signal ends it early. */
  async pause(millis: number, signal: AbortSignal): Promise<void> {
    await sleep(this.pace(millis), undefined, { signal }).catch(() => undefined);
  }

  async stop(): Promise<void> {
    this.stopped = true;
    for (const cancel of this.cancels) cancel();
    await Promise.all(this.runs);
  }
}
