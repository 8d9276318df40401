import { setImmediate, setTimeout as delay } from 'node:timers/promises';
import { type Commit, type EventStore, READ_COMMITS } from '@parlance/event-store';
import type { Failure } from '../errors.ts';
import type { OwnRunner } from './own.ts';

/** The number of pages cached for projections at nearby positions. */
const PAGES = 4;
/** How often to check what other processes have written, while a caller waits for it. */
const WATCH_MS = 20;
const BACKOFF_MS = 20;
const OUTAGE_MS = 1_000;
/** A constant abort reason, because the default one costs a stack trace. */
const WOKEN = 'woken';

/** Follows the log for several projections. Each has its own loop; projections at the same position share reads and waits. */
export class Follower {
  private readonly stopping = new AbortController();
  private wake = new AbortController();
  private ended: Promise<unknown> = Promise.resolve();
  private readonly pages = new Map<number, Promise<readonly Commit[]>>();
  private readonly growing = new Map<number, Promise<void>>();
  private readonly waiters = new Set<() => void>();

  constructor(
    private readonly store: EventStore,
    readonly runners: readonly OwnRunner[],
    private readonly report: (failure: Failure) => void,
  ) {}

  /** Waits for one batch of each projection near the end of the log. */
  async start(): Promise<void> {
    await Promise.all(this.runners.map((runner) => runner.readRecord()));
    const head = await this.store.head();
    const begun = this.runners.map((runner) => {
      runner.near = head - runner.position <= READ_COMMITS;
      return { first: runner.near ? this.round(runner, false) : Promise.resolve(), runner };
    });
    this.ended = Promise.all(begun.map(({ first, runner }) => first.then(() => this.run(runner))));
    await Promise.all(begun.map(({ first }) => first));
  }

  async stop(): Promise<void> {
    this.stopping.abort();
    this.wakeUp();
    await this.ended;
    this.settle();
  }

  /** Checks again immediately. */
  wakeUp(): void {
    this.wake.abort(WOKEN);
    this.wake = new AbortController();
  }

  /** Resolves when `isOver` returns true, when the time has passed, or when the follower stops. */
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

  /** Checks whether waits are over. */
  settle(): void {
    for (const look of this.waiters) look();
  }

  private get isStopping(): boolean {
    return this.stopping.signal.aborted;
  }

  private async run(runner: OwnRunner): Promise<void> {
    while (!this.isStopping) {
      await this.round(runner);
      await setImmediate();
    }
  }

  /** Applies one batch, or waits for one. */
  private async round(runner: OwnRunner, mayWait = true): Promise<void> {
    // Before checking, so that a call during the check is not missed.
    const { signal } = this.wake;
    try {
      await runner.readRecord();
      if (!runner.follows) {
        this.settle();
        if (mayWait && !signal.aborted) await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
        return;
      }
      const { position } = runner;
      const commits = await this.page(position);
      if (commits.length === 0 && !runner.isDue) {
        if (mayWait) await this.grown(position, signal);
        return;
      }
      const last = commits.at(-1)?.position ?? position;
      const head = runner.tracker.progress.ready && runner.near ? last : Math.max(last, await this.store.head());
      const taking = runner.take(commits, head);
      // The next page is read while the rows of this one are synced.
      if (last < head) setTimeout(() => void this.page(last).catch(() => undefined));
      const outcome = await taking;
      this.settle();
      if (outcome === 'contended') await this.pause(Math.random() * BACKOFF_MS);
    } catch (error) {
      if (this.isStopping) return;
      this.report({ projection: null, error, stopped: false });
      await this.pause(OUTAGE_MS);
    }
  }

  private page(after: number): Promise<readonly Commit[]> {
    let page = this.pages.get(after);
    if (!page) {
      page = this.store.readAll(after, READ_COMMITS);
      this.pages.set(after, page);
      const forget = () => this.pages.delete(after);
      page.then((commits) => commits.length === 0 && forget(), forget);
      if (this.pages.size > PAGES) this.pages.delete(this.pages.keys().next().value!);
    }
    return page;
  }

  private grown(after: number, signal: AbortSignal): Promise<void> {
    this.pages.clear();
    let growing = this.growing.get(after);
    if (!growing) {
      const timer = this.waiters.size > 0 ? setTimeout(() => this.wakeUp(), WATCH_MS) : undefined;
      growing = this.store.grown(after, signal).finally(() => {
        clearTimeout(timer);
        this.growing.delete(after);
      });
      this.growing.set(after, growing);
    }
    return growing;
  }

  private async pause(ms: number): Promise<void> {
    await delay(ms, undefined, { signal: this.stopping.signal }).catch(() => undefined);
  }
}
