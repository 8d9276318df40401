import { setTimeout as delay } from 'node:timers/promises';
import type { EventStore } from '@parlance/event-store';
import type { Projection } from './projection.ts';
import type { ReadModels } from './read-models.ts';
import { type Outcome, type ProjectionStopped, Runner } from './runner.ts';

export interface Failure {
  /** Null when all projections are hindered: the log or the read models can't be reached. */
  readonly projection: string | null;
  readonly error: unknown;
  /** False when it will be tried again. */
  readonly stopped: boolean;
}

/** Thrown by `includes` when the wait was too long: the write is durable, the read models are late. */
export class NotYetIncluded extends Error {
  constructor(position: number, waited: number) {
    super(`the read models have not reached position ${position} within ${waited} ms`);
    this.name = 'NotYetIncluded';
  }
}

interface Waiter {
  readonly position: number;
  readonly resolve: () => void;
  readonly reject: (reason: Error) => void;
  readonly end: (settle: () => void) => void;
}

/** A reason of our own: the one that `abort()` would make costs a stack trace at each wake. */
const WOKEN = 'woken';
const STOPPED = 'the projector was stopped';
const COMMITS = 500;
const POLL_MS = 1_000;
/** How often to look what another process has written, while somebody waits for it. */
const WATCH_MS = 20;
const FIRST_BACKOFF_MS = 2;
const MOST_BACKOFF_MS = 64;
const OUTAGE_MS = 1_000;

/** One loop for all projections of a process: reads each commit once, hands it to all, wakes whoever waits for it. */
export class Follower {
  readonly runners: readonly Runner[];
  private waiters = new Set<Waiter>();
  private readonly stopping = new AbortController();
  private wake: AbortController = new AbortController();
  private ended: Promise<void> = Promise.resolve();
  private backoff = 0;

  constructor(
    private readonly store: EventStore,
    models: ReadModels,
    projections: readonly Projection[],
    private readonly patienceMs: number,
    private readonly report: (failure: Failure) => void,
  ) {
    const onStop = (error: ProjectionStopped) => this.report({ projection: error.projection, error, stopped: true });
    this.runners = projections.map((projection) => new Runner(projection, models, onStop));
  }

  async start(): Promise<void> {
    await Promise.all(this.runners.map((runner) => runner.refresh()));
    this.ended = this.run();
  }

  async stop(): Promise<void> {
    this.stopping.abort();
    this.wake.abort(WOKEN);
    await this.ended;
    for (const waiter of this.waiters) waiter.reject(new Error(STOPPED));
    this.waiters.clear();
  }

  async includes(position: number): Promise<void> {
    if (this.hasReached(position)) return;
    if (this.stopping.signal.aborted) throw new Error(STOPPED);
    await new Promise<void>((resolve, reject) => {
      const timer = setTimeout(() => waiter.end(() => reject(new NotYetIncluded(position, this.patienceMs))), this.patienceMs);
      const waiter: Waiter = {
        position,
        resolve: () => waiter.end(resolve),
        reject: (reason) => waiter.end(() => reject(reason)),
        end: (settle) => {
          clearTimeout(timer);
          this.waiters.delete(waiter);
          settle();
        },
      };
      this.waiters.add(waiter);
      this.wake.abort(WOKEN);
    });
  }

  /** After its rows were rebuilt: goes on from where they stand, even if it had stopped. */
  async restart(projection: Projection): Promise<void> {
    const runner = this.runners.find((one) => one.projection === projection)!;
    await runner.refresh();
    runner.stopped = null;
    this.wake.abort(WOKEN);
  }

  giveUp(name: string, cause: unknown): void {
    const runner = this.runners.find(({ projection }) => projection.name === name);
    runner?.giveUp(cause);
    this.settleAll();
  }

  private async run(): Promise<void> {
    while (!this.stopping.signal.aborted) {
      // Made before looking, so that a call that comes during the look is not slept through.
      this.wake = new AbortController();
      try {
        const head = await this.step();
        if (head !== null) await this.idle(head);
      } catch (error) {
        this.report({ projection: null, error, stopped: false });
        await this.pause(OUTAGE_MS);
      }
    }
  }

  /** Carries all on by one batch; answers the place up to which nothing is left to do, or null when there may be more. */
  private async step(): Promise<number | null> {
    await Promise.all(this.runners.map((runner) => (runner.kind === 'ours' ? undefined : runner.refresh())));
    let waiting = this.runners.filter(({ kind, stopped }) => kind === 'ours' && !stopped);
    waiting.sort((a, b) => a.position - b.position);
    const taken: Promise<Outcome>[] = [];
    // Those that stand within one batch share it. One that is far behind neither holds up the others nor is held up.
    while (waiting.length > 0) {
      const commits = await this.store.readAll(waiting[0]!.position, COMMITS);
      const last = commits.at(-1)?.position;
      if (last === undefined) break;
      taken.push(...waiting.filter(({ position }) => position < last).map((runner) => runner.take(commits)));
      waiting = waiting.filter(({ position }) => position >= last);
    }
    const head = waiting[0]?.position ?? (await this.store.head());
    const results = await Promise.allSettled(taken);
    this.settleAll();
    const failed = results.find((result) => result.status === 'rejected');
    if (failed) throw failed.reason;
    if (results.some((result) => result.status === 'fulfilled' && result.value === 'contended')) {
      this.backoff = Math.min(MOST_BACKOFF_MS, this.backoff * 2 || FIRST_BACKOFF_MS);
      await this.pause(Math.random() * this.backoff);
    } else if (taken.length > 0) this.backoff = 0;
    return taken.length > 0 ? null : head;
  }

  private async idle(head: number): Promise<void> {
    const watching = this.waiters.size > 0 ? WATCH_MS : POLL_MS;
    const { signal } = this.wake;
    const timer = setTimeout(() => this.wake.abort(WOKEN), watching);
    try {
      if (!signal.aborted) await this.store.grown(head, signal);
    } finally {
      clearTimeout(timer);
    }
  }

  private async pause(ms: number): Promise<void> {
    await delay(ms, undefined, { signal: this.stopping.signal }).catch(() => undefined);
  }

  private settleAll(): void {
    for (const waiter of this.waiters) {
      try {
        if (this.hasReached(waiter.position)) waiter.resolve();
      } catch (reason) {
        waiter.reject(reason as Error);
      }
    }
  }

  /** Throws why that will never be, if so. */
  private hasReached(position: number): boolean {
    // One that waits for its rebuild to a newer version answers as it stands, which is better than no answer for minutes.
    const behind = this.runners.filter((runner) => runner.position < position && (runner.kind !== 'older' || runner.stopped));
    const stopped = behind.find((runner) => runner.stopped);
    if (stopped) throw stopped.stopped!;
    return behind.length === 0;
  }
}
