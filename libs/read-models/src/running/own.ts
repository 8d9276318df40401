import type { Commit } from '@parlance/event-store';
import { changesOf } from '../fold.ts';
import type { Projection } from '../projection.ts';
import type { ReadModels } from '../read-models.ts';
import { type Outcome, ProgressTracker } from './progress-tracker.ts';
import { removeRows } from './remove-outdated.ts';

/** After this many commits without changes, the record is written anyway. */
const UNWRITTEN = 1_000;

/** One projection of the service's own log, in one process. */
export class OwnRunner {
  readonly tracker: ProgressTracker;
  /** Whether the projection was within a batch of the log's end when this process started, or at any time since. */
  near = false;
  /** The number of events that this process has read. */
  events = 0;
  private isHeld = false;
  private taking: Promise<unknown> = Promise.resolve();
  /** How many times the record became stale, because rows stopped being live in an append. */
  private timesStale = 0;
  private isStale = true;

  constructor(
    readonly projection: Projection,
    private readonly models: ReadModels,
    onStopped: (cause: unknown) => void,
  ) {
    this.tracker = new ProgressTracker(models, projection, '', onStopped);
  }

  get position(): number {
    return Number(this.tracker.at);
  }

  get isLive(): boolean {
    return this.tracker.progress.live && !this.isStale;
  }

  /** Whether it has to follow the log. */
  get follows(): boolean {
    return !this.tracker.stopped && !this.isHeld && !this.isLive;
  }

  /** Whether the record must be written at the end of the log without other work. */
  get isDue(): boolean {
    return !this.tracker.progress.ready || this.models.mayBeLive(this.projection.name);
  }

  includes(position: number): boolean {
    return this.isLive || this.position >= position;
  }

  /** Removes outdated rows, from these rows and from copies of them. */
  async removeOutdated(...copies: readonly ReadModels[]): Promise<void> {
    const { outdated, name } = this.projection;
    if (outdated && this.models.built(name) === 1) await removeRows(outdated(new Date().toISOString()), [this.models, ...copies]);
  }

  /** Only the caller may write the rows until it calls `release`. */
  async hold(): Promise<void> {
    this.isHeld = true;
    await this.taking.catch(() => undefined);
  }

  release(): void {
    this.isHeld = false;
  }

  /** Called inside the transaction of an append, which may still be undone: `readRecord` reads the record afterwards. */
  markStale(): void {
    this.timesStale += 1;
    this.isStale = true;
  }

  /** Reads the record, if it may have changed since it was last read. */
  async readRecord(): Promise<void> {
    while (this.isStale) {
      const { timesStale } = this;
      await this.tracker.refresh();
      this.isStale = this.timesStale !== timesStale;
      const { stopped } = this.tracker.progress;
      // It failed in the transaction of an append. If it stopped before this process started, it is retried.
      if (timesStale > 0 && stopped !== null && this.tracker.stopped === null) await this.tracker.stop(new Error(stopped));
    }
  }

  /** Applies the commits that are not applied yet. `head` is the end of the log. */
  take(commits: readonly Commit[], head: number): Promise<Outcome> {
    const outcome = this.isHeld ? Promise.resolve('contended' as const) : this.takeFrom(commits, head);
    this.taking = outcome;
    return outcome;
  }

  private async takeFrom(commits: readonly Commit[], head: number): Promise<Outcome> {
    const { position } = this;
    const to = commits.at(-1)?.position ?? position;
    // The record was advanced while the commits were read.
    if (to > position && commits[0]!.position !== position + 1) return 'contended';
    const isAtEnd = to >= head;
    const { ready, at } = this.tracker.progress;
    const items = commits.map((commit) => ({
      to: String(commit.position),
      key: commit.stream,
      number: commit.version,
      changes: () => changesOf(this.projection, commit),
    }));
    const isDue = (isAtEnd && this.isDue) || to - Number(at) >= UNWRITTEN;
    const outcome = await this.tracker.take(items, { to: String(to), isDue, ...(!ready && { reached: isAtEnd ? 1 : to / head }) });
    this.events += commits.reduce((sum, { events }) => sum + events.length, 0);
    await this.readRecord();
    if (isAtEnd && outcome === 'moved') this.near = true;
    return outcome;
  }
}
