import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import { RequestContext } from '@parlance/observability';
import { type Pace, usualPace } from './process/pace.ts';

/** Periodic work of a service. Runs of one timer never overlap, an error ends only its run, and `stop` waits for current runs. */
export class Timers {
  private readonly runs = new Set<Promise<void>>();
  private readonly handles = new Set<NodeJS.Timeout>();
  private stopped = false;

  constructor(
    private readonly log: Logger,
    private readonly pace: Pace['timer'] = usualPace.timer,
  ) {}

  every(millis: number, name: string, work: () => Promise<void>): void {
    const runOnce = async () => {
      try {
        await RequestContext.run(RequestContext.background(), work);
      } catch (error) {
        this.log.error({ err: error, timer: name }, 'a timer failed; it will run again');
      }
    };
    const wait = () => {
      if (this.stopped) return;
      const handle = setTimeout(() => {
        this.handles.delete(handle);
        const running = runOnce().finally(() => {
          this.runs.delete(running);
          wait();
        });
        this.runs.add(running);
      }, this.pace(millis));
      this.handles.add(handle);
    };
    wait();
  }

  /** A pause between two checks, at the configured pace. The signal ends it early. */
  async pause(millis: number, signal: AbortSignal): Promise<void> {
    await sleep(this.pace(millis), undefined, { signal }).catch(() => undefined);
  }

  async stop(): Promise<void> {
    this.stopped = true;
    for (const handle of this.handles) clearTimeout(handle);
    await Promise.all(this.runs);
  }
}
