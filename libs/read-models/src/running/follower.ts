import { setImmediate, setTimeout as delay } from 'node:timers/promises';
import type { Commit, EventStore } from '@parlance/event-store';
import type { Failure } from '../errors.ts';
import type { Outcome } from './line.ts';
import type { OwnRunner } from './own.ts';

/** A batch: so many commits, or so many bytes of their events. */
const COMMITS = 500;
const BYTES = 1024 * 1024;
const POLL_MS = 1_000;
/** How often to look for what another process has written, while a caller waits for it. */
const WATCH_MS = 20;
const FIRST_BACKOFF_MS = 2;
const MOST_BACKOFF_MS = 64;
const OUTAGE_MS = 1_000;
/** An abort reason of its own, because the default one costs a stack trace. */
const WOKEN = 'woken';

/**
 * Follows the log. Projections near its end share one loop, which reads each commit once. Every other one catches up in a loop of its
 * own, and then joins them.
 */
export class Follower {
  private readonly stopping = new AbortController();
  private wake = new AbortController();
  private ended: Promise<unknown> = Promise.resolve();
  private backoff = 0;
  private readonly waiters = new Set<() => void>();

  constructor(
    private readonly store: EventStore,
    readonly runners: readonly OwnRunner[],
    private readonly report: (failure: Failure) => void,
  ) {}

  /** Waits for one batch at most. */
  async start(): Promise<void> {
    await Promise.all(this.runners.map((runner) => runner.refresh()));
    const head = await this.store.head();
    for (const runner of this.runners) runner.near = head - runner.position <= COMMITS;
    const far = this.runners.filter(({ near }) => !near);
    await this.step();
    this.ended = Promise.all([this.run(), ...far.map((runner) => this.catchUp(runner))]);
  }

  async stop(): Promise<void> {
    this.stopping.abort();
    this.wakeUp();
    await this.ended;
    this.settle();
  }

  get isStopping(): boolean {
    return this.stopping.signal.aborted;
  }

  /** Looks again at once. */
  wakeUp(): void {
    this.wake.abort(WOKEN);
  }

  /** Carries a projection on from wherever it is, until it is near the end. */
  async catchUp(runner: OwnRunner): Promise<void> {
    let ahead: Promise<readonly Commit[]> | null = null;
    let expected = -1;
    while (!this.isStopping && !runner.line.stopped) {
      try {
        await runner.look();
        const { position } = runner;
        const commits: readonly Commit[] = await (ahead && expected === position ? ahead : this.page(position));
        const head: number = commits.length === 0 ? position : await this.store.head();
        const taking = runner.take(commits, head);
        // The next page is read while this one's rows are synced. It counts if they take all of this one.
        await setImmediate();
        expected = commits.at(-1)?.position ?? position;
        ahead = expected < head ? this.page(expected) : null;
        ahead?.catch(() => undefined);
        await this.rest([await taking]);
        if (runner.near) break;
      } catch (error) {
        ahead = null;
        await this.outage(error);
      }
      await setImmediate();
    }
    this.settle();
    this.wakeUp();
  }

  /** Resolves when `isOver`, when the time has passed, or when the follower stops. */
  async until(isOver: () => boolean, patienceMs?: number): Promise<void> {
    if (isOver() || this.isStopping) return;
    await new Promise<void>((resolve) => {
      const end = () => {
        clearTimeout(timer);
        this.waiters.delete(look);
        resolve();
      };
      const timer = patienceMs === undefined ? undefined : setTimeout(end, patienceMs);
      const look = () => {
        if (isOver() || this.isStopping) end();
      };
      this.waiters.add(look);
      this.wakeUp();
    });
  }

  /** Looks whether waits are over. */
  settle(): void {
    for (const look of this.waiters) look();
  }

  private async run(): Promise<void> {
    while (!this.isStopping) {
      // Made before looking, so that a call during the look is not missed.
      this.wake = new AbortController();
      try {
        const head = await this.step();
        if (head !== null && !this.isStopping) await this.idle(head);
      } catch (error) {
        await this.outage(error);
      }
    }
  }

  /** Carries those near the end on by one batch. Answers the end of the log when nothing is left to do. */
  private async step(): Promise<number | null> {
    await Promise.all(this.runners.map((runner) => (runner.near && !runner.line.stopped ? runner.look() : undefined)));
    const following = this.runners.filter(({ near, follows }) => near && follows);
    if (following.length === 0) {
      this.settle();
      return Infinity;
    }
    const least = Math.min(...following.map(({ position }) => position));
    const commits = await this.page(least);
    const last = commits.at(-1)?.position ?? least;
    const head = following.some(({ line }) => !line.progress.ready) ? await this.store.head() : last;
    const due = following.filter((runner) => runner.position < last || (runner.position === last && runner.isDue));
    const results = await Promise.allSettled(due.map((runner) => runner.take(commits, head)));
    this.settle();
    const failed = results.find((result) => result.status === 'rejected');
    if (failed) throw failed.reason;
    await this.rest(results.map((result) => (result as PromiseFulfilledResult<Outcome>).value));
    return commits.length === 0 ? last : null;
  }

  private page(after: number): Promise<readonly Commit[]> {
    return this.store.readAll(after, COMMITS, BYTES);
  }

  private async rest(outcomes: readonly Outcome[]): Promise<void> {
    if (!outcomes.includes('contended')) {
      this.backoff = 0;
      return;
    }
    this.backoff = Math.min(MOST_BACKOFF_MS, this.backoff * 2 || FIRST_BACKOFF_MS);
    await this.pause(Math.random() * this.backoff);
  }

  private async idle(head: number): Promise<void> {
    const { signal } = this.wake;
    if (signal.aborted) return;
    if (head === Infinity) {
      await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
      return;
    }
    const timer = setTimeout(() => this.wakeUp(), this.waiters.size > 0 ? WATCH_MS : POLL_MS);
    try {
      await this.store.grown(head, signal);
    } finally {
      clearTimeout(timer);
    }
  }

  private async outage(error: unknown): Promise<void> {
    if (this.isStopping) return;
    this.report({ projection: null, error, stopped: false });
    await this.pause(OUTAGE_MS);
  }

  private async pause(ms: number): Promise<void> {
    await delay(ms, undefined, { signal: this.stopping.signal }).catch(() => undefined);
  }
}
