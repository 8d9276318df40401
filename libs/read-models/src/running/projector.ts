import type { EventStore } from '@parlance/event-store';
import { CheckpointMoved, type Failure } from '../errors.ts';
import type { ForeignEvent, ForeignProjection, Projection } from '../projection.ts';
import type { Moment, PublishedEvents, Topics } from '../published.ts';
import type { ReadModels } from '../read-models.ts';
import { Follower } from './follower.ts';
import { ForeignRunner } from './foreign.ts';
import { lagOfForeign, lagOfOwn, type ProjectionLag } from './lag.ts';
import { OwnRunner } from './own.ts';
import { nextForeignRows, nextOwnRows, type RowsProgress, type Serving } from './rebuilding/next-rows.ts';
import { Rebuilds } from './rebuilding/rebuilds.ts';
import type { Redriven } from './redrive.ts';
import { Repairs } from './repairs.ts';
import { compareCopies, foreignCopy, inScratch, ownCopy, type Verdict } from './verify.ts';

export interface ProjectorOptions {
  readonly store: EventStore;
  readonly models: ReadModels;
  /** Projections of the service's own log. */
  readonly projections: readonly Projection[];
  /** Projections of other services' events, and the sources of these events. */
  readonly foreign?: {
    /** The prefix of the names of consumer groups: `<service>.<projection>.v<version>`. */
    readonly service: string;
    readonly projections: readonly ForeignProjection[];
    readonly topics: Topics;
    readonly published: PublishedEvents;
  };
  /** Called with each error. */
  readonly onError?: (failure: Failure) => void;
  /** How long `includes` waits: 10 s by default. */
  readonly patienceMs?: number;
}

const DAY_MS = 24 * 60 * 60 * 1_000;
/** Rows of versions that no process has declared for this long are removed. */
const UNUSED_MS = 7 * DAY_MS;

/**
 * Keeps a service's projections up to date. Any number of processes may run it at once: the first one writes a batch, and the others
 * continue from there.
 */
export class Projector {
  private readonly follower: Follower;
  private readonly own: readonly OwnRunner[];
  private readonly foreign: readonly ForeignRunner[];
  private readonly repairs: Repairs;
  private readonly rebuilds: Rebuilds;
  private sweeping: Promise<unknown> = Promise.resolve();
  private timer: NodeJS.Timeout | undefined;

  constructor(private readonly options: ProjectorOptions) {
    const { store, models, projections, foreign } = options;
    this.own = projections.map((projection) => new OwnRunner(projection, models, this.stopped(projection.name)));
    this.foreign = (foreign?.projections ?? []).map(
      (projection) => new ForeignRunner(projection, { models, report: this.report, ...foreign! }),
    );
    this.follower = new Follower(store, this.own, this.report);
    const serving: Serving = { store, models, report: this.report, wakeUp: () => this.follower.wakeUp() };
    this.repairs = new Repairs({ store, models, follower: this.follower, find: (name) => this.find(name) });
    this.rebuilds = new Rebuilds({
      models,
      owners: [...this.own, ...this.foreign].map(({ projection }) => projection),
      begin: async (name, next) => {
        const found = this.find(name);
        return found instanceof ForeignRunner ? nextForeignRows(serving, next, found) : nextOwnRows(serving, next, found);
      },
      inTurn: (name, work) => this.repairs.inTurn(name, work),
      report: this.report,
    });
    models.onBehind = (name) => {
      this.own.find(({ projection }) => projection.name === name)?.markStale();
      this.follower.wakeUp();
    };
  }

  get names(): readonly string[] {
    return [...this.own, ...this.foreign].map(({ projection }) => projection.name);
  }

  /** The consumer groups of projections of other services' events, once their rows are prepared. */
  get groups(): readonly string[] {
    return this.foreign.map(({ group }) => group);
  }

  /**
   * Prepares the rows and starts to follow the logs. Waits for one batch of each projection that is near the end of the log, but not for
   * projections that catch up.
   */
  async start(): Promise<void> {
    await this.prepare();
    await this.follower.start();
    for (const runner of this.foreign) runner.start();
    this.sweep();
    this.rebuilds.start();
    // Declaring them again records that they are in use.
    this.timer = setInterval(
      () =>
        void this.prepare().then(
          () => this.sweep(),
          () => undefined,
        ),
      DAY_MS,
    ).unref();
  }

  /** Stops. Current writes are finished, and waits of `includes` end. */
  async stop(): Promise<void> {
    clearInterval(this.timer);
    await this.rebuilds.stop();
    await Promise.all([this.follower.stop(), this.sweeping, ...this.foreign.map((runner) => runner.stop())]);
  }

  /**
   * Waits until the awaited projections include a position, except those that catch up or have stopped. Returns the names of all awaited
   * projections that do not include it. Never rejects.
   */
  async includes(position: number): Promise<{ readonly behind: readonly string[] }> {
    const awaited = this.own.filter(({ projection }) => projection.awaited);
    const lacks = (runner: OwnRunner) => !runner.includes(position);
    const waiting = awaited.filter(({ near }) => near);
    await this.follower.until(() => !waiting.some((runner) => lacks(runner) && !runner.tracker.stopped), this.options.patienceMs ?? 10_000);
    return { behind: awaited.filter(lacks).map(({ projection }) => projection.name) };
  }

  /** The position of the service's own log up to which the rows of a projection include it, as far as this process knows. It is never too high. */
  async reached(name: string): Promise<number> {
    const { store } = this.options;
    // Read first: rows that are live afterwards include at least this.
    const head = await store.head();
    const runner = this.own.find(({ projection }) => projection.name === name);
    if (!runner) throw new Error(`there is no projection ${name} of the own log`);
    return runner.isLive ? head : runner.position;
  }

  /** For a projection of other services' events: see `ForeignRunner.complete`. */
  complete(name: string, newest: Moment): Promise<Moment> {
    const runner = this.foreign.find(({ projection }) => projection.name === name);
    if (!runner) throw new Error(`there is no projection ${name} of other services' events`);
    return runner.complete(newest);
  }

  /** Projections that the service waits for and that are not ready, with their progress from 0 to 1. */
  ready(): readonly { readonly projection: string; readonly progress: number }[] {
    const { models } = this.options;
    const awaited = this.names.filter(
      (name) => this.foreign.find(({ projection }) => projection.name === name)?.projection.isAwaited ?? true,
    );
    return awaited.map((name) => ({ projection: name, progress: models.built(name) })).filter(({ progress }) => progress < 1);
  }

  async lag(): Promise<readonly ProjectionLag[]> {
    const { store, models } = this.options;
    const head = await store.head();
    return Promise.all([
      ...this.own.map((runner) => lagOfOwn(models, runner, head)),
      ...this.foreign.map((runner) => lagOfForeign(models, runner)),
    ]);
  }

  /** Builds a second copy of the rows from the events and compares both. Rejects if the projection cannot be built. */
  async verify(name: string): Promise<Verdict> {
    const { store, models } = this.options;
    const found = this.find(name);
    return inScratch(models, found.projection, async (scratch) => {
      if (!(found instanceof ForeignRunner)) {
        const copy = await ownCopy(store, models, scratch, found.projection);
        const catchUp = () => copy.catchUp().then(() => found.removeOutdated(scratch));
        return compareCopies(models, scratch, found.projection.tables, catchUp).finally(copy.end);
      }
      const copy = await foreignCopy(found, scratch);
      const catchUp = () => copy.catchUp().then(() => found.removeOutdated(scratch));
      return compareCopies(models, scratch, found.projection.tables, catchUp).finally(copy.end);
    });
  }

  /**
   * Builds the rows again beside those in use, and serves the new ones when they are complete. Queries and commands continue meanwhile.
   * Rejects with `RebuildRunning`, `ReadModelBuilding`, `ProjectionStopped` or `RebuildInterrupted`.
   */
  rebuild(name: string): Promise<RowsProgress> {
    this.find(name);
    return this.rebuilds.rebuild(name);
  }

  /** Null if this process is not rebuilding the projection. */
  rebuilding(name: string): Promise<RowsProgress | null> {
    return this.rebuilds.progress(name);
  }

  /** Removes the rows of a projection and builds them again. Its queries reject with `ReadModelBuilding` meanwhile. */
  reset(name: string): Promise<void> {
    return this.repairs.reset(name);
  }

  /** Retries the events that were set aside, of all streams or of some, in order. A stopped projection continues. */
  redrive(name: string, streams?: readonly string[]): Promise<Redriven> {
    return this.repairs.redrive(name, streams);
  }

  /**
   * Applies the changes of an event before it is delivered. The event is delivered as well, so the changes must be idempotent.
   */
  async anticipate(name: string, event: ForeignEvent): Promise<void> {
    const { models } = this.options;
    const { projection } = this.find(name) as ForeignRunner;
    for (;;) {
      try {
        await models.apply({ from: await models.progress(name), steps: [{ changes: projection.changes(event) }] });
        return;
      } catch (error) {
        if (!(error instanceof CheckpointMoved)) throw error;
      }
    }
  }

  private find(name: string): OwnRunner | ForeignRunner {
    const found = [...this.own, ...this.foreign].find(({ projection }) => projection.name === name);
    if (!found) throw new Error(`there is no projection ${name}`);
    return found;
  }

  /** Creates missing rows. `start` does so too. */
  prepare(): Promise<void> {
    return this.options.models.prepare([...this.own, ...this.foreign].map(({ projection }) => projection));
  }

  private sweep(): void {
    const report = (projection: string | null) => (error: unknown) => this.report({ projection, error, stopped: false });
    this.sweeping = this.options.models
      .sweep(Date.now() - UNUSED_MS)
      .catch(report(null))
      .then(() =>
        Promise.all([...this.own, ...this.foreign].map((runner) => runner.removeOutdated().catch(report(runner.projection.name)))),
      );
  }

  private stopped(projection: string): (error: unknown) => void {
    return (error) => {
      this.report({ projection, error, stopped: true });
      this.follower.settle();
    };
  }

  private readonly report = (failure: Failure): void => {
    if (this.options.onError) this.options.onError(failure);
    else console.error(failure.error);
  };
}
