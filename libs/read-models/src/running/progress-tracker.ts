import { ChangeRefused, CheckpointMoved } from '../errors.ts';
import { reasonOf } from '../fold.ts';
import type { OnError } from '../projection.ts';
import { type Batch, MOST_PARKED, type Parked, type Progress, type ReadModels, type Step } from '../read-models.ts';
import type { Change } from '../table.ts';

/** A commit of the service's own log, or an event of another service. */
export interface Item {
  /** The position of the rows after it. */
  readonly to: string;
  /** The stream. Items of one key are applied in their order, even after one of them failed. */
  readonly key: string;
  /** The order of the items of a key. Letters get a number when they are set aside. */
  readonly number: number;
  changes(): readonly Change[];
  /** Stored if the item is set aside. Absent for commits, which are read again instead. */
  readonly letter?: unknown;
}

/** The position of the rows after all items (beyond the last one, if others were left out), and what else is written with it. */
export interface Taking extends Pick<Batch, 'reached' | 'lines'> {
  readonly to: string;
  /** The record has to be written even if there are no changes. */
  readonly isDue?: boolean;
}

export type Outcome = 'moved' | 'contended' | 'stopped';

/** The most events of one key that are set aside. With more, the projection stops. */
const MOST_LETTERS = 1_000;

/** Thrown if the function of an item has thrown; that error is the `cause`. */
class ItemFailed extends Error {}

/** Advances one progress record by applying items in order. Sets a failing item aside, or stops at it. */
export class ProgressTracker {
  progress!: Progress;
  /** The position up to which items are applied. It is ahead of the stored record after items without changes. */
  at = '';
  stopped: string | null = null;
  parked = new Map<string, Parked>();

  constructor(
    private readonly models: ReadModels,
    private readonly owner: { readonly name: string; readonly onError: OnError },
    private readonly line: string,
    private readonly onStopped: (cause: unknown) => void,
  ) {}

  async refresh(): Promise<void> {
    const progress = await this.models.progress(this.owner.name, this.line);
    this.parked = new Map((await this.parkedHere()).map((entry) => [entry.key, entry]));
    this.progress = progress;
    this.at = progress.at;
  }

  /** Items that were set aside before there were partitions precede those that the partition delivers. */
  private async parkedHere(key?: string): Promise<readonly Parked[]> {
    return (await this.models.parked(this.owner.name, MOST_PARKED, key)).filter(({ line }) => line === this.line || line === '');
  }

  async apply(batch: Omit<Batch, 'from'>): Promise<void> {
    this.progress = await this.models.apply({ from: this.progress, ...batch });
    this.at = this.progress.at;
    for (const key of new Set(batch.steps.flatMap(({ unpark }) => unpark?.key ?? []))) {
      const entry = (await this.parkedHere(key)).at(-1);
      if (entry) this.parked.set(key, entry);
      else this.parked.delete(key);
    }
    if (batch.steps.some(({ unpark }) => unpark)) return;
    // A write may end after any of its steps.
    for (const { park } of batch.steps.slice(0, 1 + batch.steps.findLastIndex(({ to }) => to === this.at))) {
      if (!park) continue;
      const { key, number, reason } = park;
      const before = this.parked.get(key) ?? { line: this.line, key, first: number, count: 0, reason };
      this.parked.set(key, { ...before, last: number, count: before.count + 1 });
    }
  }

  /** Rejects if the store cannot be reached. */
  async take(items: readonly Item[], taking: Taking): Promise<Outcome> {
    try {
      await this.write(items, taking);
      return 'moved';
    } catch (error) {
      if (error instanceof CheckpointMoved) {
        await this.refresh();
        return 'contended';
      }
      if (!(error instanceof ChangeRefused || error instanceof ItemFailed)) throw error;
      const rest = items.slice(1 + items.findIndex(({ to }) => to === this.at));
      const half = rest.length >> 1;
      const outcome =
        half === 0
          ? await this.fail(rest[0]!, error instanceof ItemFailed ? error.cause : error)
          : await this.take(rest.slice(0, half), { to: rest[half - 1]!.to });
      // Rows that have become live include the whole log.
      return outcome !== 'moved' || this.progress.live ? outcome : this.take(rest.slice(Math.max(half, 1)), taking);
    }
  }

  /** Stops the projection. */
  async stop(cause: unknown): Promise<void> {
    this.stopped = reasonOf(cause);
    this.onStopped(cause);
    await this.apply({ steps: this.at === this.progress.at ? [] : [{ to: this.at, changes: [] }], stopped: this.stopped });
  }

  private async write(items: readonly Item[], { to, isDue = false, ...rest }: Taking): Promise<void> {
    // Once for all writes: a page of 500 commits can take a few dozen of them.
    const all = this.stepsOf(items);
    if (all.length === 0 && !isDue) {
      this.at = to;
      return;
    }
    if (all.at(-1)?.to !== to) all.push({ to, changes: [] });
    for (let left: readonly Step[] = all; ; left = left.slice(1 + left.findIndex((step) => step.to === this.at))) {
      await this.apply({ steps: left, ...rest });
      if (this.progress.live || this.at === to) return;
    }
  }

  private stepsOf(items: readonly Item[]): Step[] {
    const steps: Step[] = [];
    const letters = new Map<string, number>();
    for (const item of items) {
      const { to, key, letter } = item;
      const parked = this.parked.get(key);
      if (!parked) {
        const changes = changesOf(item);
        if (changes.length > 0) steps.push({ to, changes });
      } else if (letter === undefined) {
        // Written, so that other processes notice the redrive.
        steps.push({ to, changes: [] });
      } else {
        const number = (letters.get(key) ?? parked.last) + 1;
        if (number - parked.first >= MOST_LETTERS)
          throw new ItemFailed('', { cause: new Error(`too many events of ${key} are set aside`) });
        letters.set(key, number);
        steps.push({ to, changes: [], park: { key, number, reason: '', letter } });
      }
    }
    return steps;
  }

  private async fail({ to, key, number, letter }: Item, cause: unknown): Promise<Outcome> {
    try {
      const mayPark = this.owner.onError === 'park' && !this.parked.has(key) && this.parked.size < MOST_PARKED;
      if (!mayPark) await this.stop(cause);
      else
        await this.apply({
          steps: [{ to, changes: [], park: { key, number, reason: reasonOf(cause), ...(letter !== undefined && { letter }) } }],
        });
      return mayPark ? 'moved' : 'stopped';
    } catch (error) {
      if (!(error instanceof CheckpointMoved)) throw error;
      await this.refresh();
      return this.stopped === null ? 'contended' : 'stopped';
    }
  }
}

function changesOf(item: Item): readonly Change[] {
  try {
    return item.changes();
  } catch (cause) {
    throw new ItemFailed('', { cause });
  }
}
