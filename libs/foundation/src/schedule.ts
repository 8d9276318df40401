import type { Abstract, INestApplicationContext, Type } from '@nestjs/common';
import { Config } from '@parlance/config';
import type { Instant } from '@parlance/decider';
import { ShutdownPlan } from '@parlance/observability';
import { Clock } from './clock.ts';
import { Timers } from './timers.ts';

export const SECOND = 1_000;
export const MINUTE = 60 * SECOND;
export const HOUR = 60 * MINUTE;

/** Milliseconds between two runs. Null: this configuration does not need the work. */
export type Interval = number | ((config: Config) => number | null);

/** One entry of a service's schedule. */
export interface Scheduled {
  readonly interval: Interval;
  /** Names the work in logs. */
  readonly name: string;
  /** Resolves the part that the work needs. Throws if the service does not provide it. */
  bind(app: INestApplicationContext): { run(): Promise<void>; stop?(): unknown };
}

/** The periodic work of a service, in its `src/schedule.ts`. */
export type Schedule = readonly Scheduled[];

/**
 * Repeats work on a part of the service. Runs do not overlap, and an error ends only its run. `stop` is called when the service stops
 * consuming, and is awaited before the service's stores close.
 */
export const every = <Part>(
  interval: Interval,
  name: string,
  part: Type<Part> | Abstract<Part>,
  work: (part: Part, now: Instant) => unknown,
  stop?: (part: Part) => unknown,
): Scheduled => ({
  interval,
  name,
  bind(app) {
    const [found, clock] = [app.get<Part>(part), app.get(Clock)];
    return { run: async () => void (await work(found, clock.now())), ...(stop && { stop: () => stop(found) }) };
  },
});

/** Starts the timers of a service whose application is initialised. */
export function startSchedule(service: string, schedule: Schedule, app: INestApplicationContext): void {
  const [timers, shutdown, config] = [app.get(Timers), app.get(ShutdownPlan), app.get(Config)];
  for (const { interval, name, bind } of schedule) {
    const millis = typeof interval === 'number' ? interval : interval(config);
    if (millis === null) continue;
    const { run, stop } = bind(app);
    if (stop) shutdown.stop('consumers', `${service}: ${name}`, async () => void (await stop()));
    timers.every(millis, name, run);
  }
}
