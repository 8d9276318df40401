import { setTimeout as delay } from 'node:timers/promises';
import type { EventStore } from '@parlance/event-store';
import { type Failure, ProjectionStopped } from '../../errors.ts';
import { reasonOf } from '../../fold.ts';
import { compareSequences } from '../../published.ts';
import type { ReadModels } from '../../read-models.ts';
import { Follower } from '../follower.ts';
import type { ForeignRunner } from '../foreign.ts';
import { OwnRunner } from '../own.ts';

/** How far the next rows have come in the log, or in the logs of the sources. */
export interface RowsProgress {
  readonly position: number;
  readonly head: number;
  /** Events that this process has read. */
  readonly events: number;
}

/** The next generation of rows of a projection, which one process builds and keeps up to date beside the rows in use. */
export interface NextRows {
  progress(): Promise<RowsProgress>;
  /**
   * Whether the rows are ready and include everything that the rows in use include. Rejects with `ProjectionStopped` if an event cannot be
   * applied, or with the error of a store.
   */
  includesServed(): Promise<boolean>;
  /** Makes these the served rows. `adopt` runs while nothing writes the served rows, once `includesServed`. */
  replaceServed(until: () => Promise<void>, adopt: () => Promise<void>): Promise<void>;
  end(): Promise<void>;
}

/** What the next rows need of the projector. */
export interface Serving {
  readonly store: EventStore;
  readonly models: ReadModels;
  readonly report: (failure: Failure) => void;
  /** Makes the served projections of the own log check for new events. */
  wakeUp(): void;
}

/** After this time, ready rows of other services' events replace the rows in use even if a partition seems to lag. */
const OTHERS_MS = 10_000;
const LOOK_MS = 10;
const OUTAGE_MS = 1_000;

export async function nextOwnRows({ store, models, report, wakeUp }: Serving, next: ReadModels, served: OwnRunner): Promise<NextRows> {
  const { projection } = served;
  let stopped: ProjectionStopped | null = null;
  const runner = new OwnRunner(projection, next, (cause) => (stopped = new ProjectionStopped(projection.name, reasonOf(cause))));
  next.onBehind = () => runner.markStale();
  const follower = new Follower(store, [runner], report);
  await follower.start();
  return {
    progress: async () => {
      const head = await store.head();
      return { position: runner.isLive ? head : runner.position, head, events: runner.events };
    },
    async includesServed() {
      if (stopped !== null) throw stopped;
      if (!runner.tracker.progress.ready) return false;
      const { at } = await models.progress(projection.name);
      return runner.includes(Number(at));
    },
    async replaceServed(until, adopt) {
      await served.hold();
      try {
        await until();
        await follower.stop();
        await adopt();
        served.tracker.stopped = null;
        await served.tracker.refresh();
      } finally {
        served.release();
        wakeUp();
      }
    },
    end: () => follower.stop(),
  };
}

export function nextForeignRows({ models }: Serving, next: ReadModels, served: ForeignRunner): NextRows {
  const { name } = served.projection;
  const runner = served.on(next);
  runner.start();
  let readySince = Infinity;
  const isAt = async ([line, at]: readonly [string, string]) => {
    // Events without changes advance the position only in memory.
    const places = [(await next.progress(name, line)).at, runner.trackers.get(line)?.at ?? ''];
    return places.some((place) => compareSequences(place, at) >= 0);
  };
  return {
    progress: async () => ({ position: runner.logs.heads.read, head: runner.logs.heads.head, events: runner.logs.events }),
    async includesServed() {
      if (runner.stopped !== null) throw new ProjectionStopped(name, runner.stopped);
      if (!runner.main.progress?.ready) return false;
      readySince = Math.min(readySince, performance.now());
      // Another process may read the partition, and positions that it has not stored are not known here.
      if (performance.now() - readySince > OTHERS_MS) return true;
      return (await Promise.all([...(await models.lines(name))].map(isAt))).every(Boolean);
    },
    replaceServed: (until, adopt) =>
      served.between(async () => {
        await until();
        await runner.stop();
        await adopt();
      }),
    end: () => runner.stop(),
  };
}

/** Checks repeatedly, because rows may also be written by other processes. Errors of stores are reported, and the check is repeated. */
export async function untilIncluded(next: NextRows, signal: AbortSignal, report: (error: unknown) => void): Promise<void> {
  for (;;) {
    signal.throwIfAborted();
    try {
      if (await next.includesServed()) return;
      await delay(LOOK_MS, undefined, { signal });
    } catch (error) {
      if (error instanceof ProjectionStopped || signal.aborted) throw error;
      report(error);
      await delay(OUTAGE_MS, undefined, { signal });
    }
  }
}
