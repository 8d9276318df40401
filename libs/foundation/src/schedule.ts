import type { Abstract, INestApplicationContext, Type } from '@nestjs/common';
import { Config } from '@parlance/config';
import type { Instant } from '@parlance/decider';
import { ShutdownPlan } from '@parlance/observability';
import { Clock } from './clock.ts';
import { Timers } from './timers.ts';
import { type Storage, STORAGE } from './wiring/storage.module.ts';

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
  bind(app: INestApplicationContext): Bound;
}

interface Bound {
  run(): Promise<void>;
  stop?(): unknown;
  hasNothing?(): boolean;
}

/** The periodic work of a service, in its `src/schedule.ts`. */
export type Schedule = readonly Scheduled[];

export interface WorkOptions<Part> {
  /** Called when the service stops consuming, and awaited before the service's stores close. */
  readonly stop?: (part: Part) => unknown;
  /**
   * Whether everything that the part still has to do is found in the service's database. If so, runs are skipped as long as nothing is
   * written to the database, but for `LONGEST_REST` at most, or `LONGEST_SHARED_REST`: work that becomes due merely because time passes may
   * start that much later.
   */
  readonly rests?: (part: Part) => boolean;
}

/** Work may also become due because time has passed, so a run is never skipped for longer than this. */
const LONGEST_REST = 5 * SECOND;
/** The same if several processes write to the database, which each run costs some commands. */
const LONGEST_SHARED_REST = 30 * SECOND;

/** Repeats work on a part of the service. Runs do not overlap, and an error ends only its run. */
export const every = <Part>(
  interval: Interval,
  name: string,
  part: Type<Part> | Abstract<Part>,
  work: (part: Part, now: Instant) => unknown,
  { stop, rests }: WorkOptions<Part> = {},
): Scheduled => ({
  interval,
  name,
  bind(app) {
    const [found, clock] = [app.get<Part>(part), app.get(Clock)];
    return {
      run: async () => void (await work(found, clock.now())),
      ...(stop && { stop: () => stop(found) }),
      ...(rests && { hasNothing: () => rests(found) }),
    };
  },
});

/** Starts the timers of a service whose application is initialised. */
export function startSchedule(service: string, schedule: Schedule, app: INestApplicationContext): void {
  const [timers, shutdown, config, clock] = [app.get(Timers), app.get(ShutdownPlan), app.get(Config), app.get(Clock)];
  const { changes, models } = app.get<Storage>(STORAGE);
  const longest = timers.paced(models?.isShared ? LONGEST_SHARED_REST : LONGEST_REST);
  for (const { interval, name, bind } of schedule) {
    const millis = typeof interval === 'number' ? interval : interval(config);
    if (millis === null) continue;
    const { run, stop, hasNothing } = bind(app);
    if (stop) shutdown.stop('consumers', `${service}: ${name}`, async () => void (await stop()));
    if (hasNothing && changes) {
      const { resting, mayRest } = withRests(run, hasNothing, changes, () => clock.steady(), longest);
      timers.every(millis, name, resting, mayRest);
    } else timers.every(millis, name, run);
  }
}

function withRests(run: Bound['run'], hasNothing: () => boolean, changes: () => number, now: () => number, longest: number) {
  /** The number of writes to the database before the last run; null if that run failed or has not ended. */
  let seen: number | null = null;
  let begun = 0;
  return {
    resting: async () => {
      const before = changes();
      [seen, begun] = [null, now()];
      await run();
      seen = before;
    },
    mayRest: () => seen === changes() && hasNothing() && now() - begun < longest,
  };
}
