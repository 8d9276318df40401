import { ChangeRefused, CheckpointMoved } from '../errors.ts';
import { reasonOf } from '../fold.ts';
import type { OnError } from '../projection.ts';
import { type Batch, MOST_PARKED, type Parked, type Parking, type Progress, type ReadModels, type Step } from '../read-models.ts';
import type { Change } from '../table.ts';

/** A commit of the own log, or an event of another service. */
export interface Item {
  /** Where the rows are after it. */
  readonly to: string;
  /** The stream. Items of one key are applied in their order, also after one of them failed. */
  readonly key: string;
  /** Orders items of a key. Letters get a number when they are set aside. */
  readonly number: number;
  changes(): readonly Change[];
  /** Kept when it is set aside. Commits are read again instead. */
  readonly letter?: unknown;
}

/** What `take` does besides applying the items. */
export interface Taking {
  /** Where the rows are after all items: further than the last of them, if others were left out. */
  readonly to: string;
  readonly reached?: number;
  /** The record has to be written even if there are no changes. */
  readonly isDue?: boolean;
  /** See `Batch.lines`. */
  readonly lines?: Readonly<Record<string, string>>;
}

export type Outcome = 'moved' | 'contended' | 'stopped';

/** Events that are set aside of one key. With more than that the projection stops. */
const MOST_LETTERS = 1_000;

interface Folded {
  readonly steps: Step[];
  readonly done: number;
  readonly failure: { readonly cause: unknown } | null;
}

/** Carries one record of progress on, by items in their order. Sets aside or stops at one that fails. */
export class Line {
  progress!: Progress;
  /** As far as the items are applied. Further than the record where they changed nothing. */
  at = '';
  stopped: string | null = null;
  parked = new Map<string, Parked>();

  constructor(
    private readonly models: ReadModels,
    private readonly owner: { readonly name: string; readonly onError: OnError },
    private readonly line: string,
    private readonly onStopped: (reason: string, cause: unknown) => void,
  ) {}

  async refresh(): Promise<void> {
    const progress = await this.models.progress(this.owner.name, this.line);
    await this.refreshParked();
    this.progress = progress;
    this.at = progress.at;
  }

  async apply(batch: Omit<Batch, 'from'>): Promise<void> {
    this.progress = await this.models.apply({ from: this.progress, ...batch });
    this.at = this.progress.at;
    if (batch.steps.some(({ unpark }) => unpark)) await this.refreshParked();
    // A write may end after any of its steps.
    else for (const { park } of batch.steps.slice(0, 1 + batch.steps.findLastIndex(({ to }) => to === this.at))) if (park) this.note(park);
  }

  /** Rejects when the store can't be reached. */
  async take(items: readonly Item[], { to, reached, isDue = false, lines }: Taking): Promise<Outcome> {
    let rest = items;
    let most = items.length;
    for (;;) {
      const part = rest.slice(0, most);
      const { steps, done, failure } = this.fold(part);
      const isEnd = part.length === rest.length && !failure;
      const place = isEnd ? to : part[Math.max(done - 1, 0)]!.to;
      try {
        if (failure && done === 0) {
          if (!(await this.fail(part[0]!, failure.cause))) return 'stopped';
        } else if (steps.length > 0 || (isEnd && isDue)) {
          if (steps.at(-1)?.to !== place) steps.push({ to: place, changes: [] });
          await this.apply({ steps, ...(isEnd && reached !== undefined && { reached }), ...(isEnd && lines && { lines }) });
        } else this.at = place;
      } catch (error) {
        if (error instanceof CheckpointMoved) {
          await this.refresh();
          return 'contended';
        }
        if (!(error instanceof ChangeRefused)) throw error;
        // The failing item is found by halving.
        if (done > 1) most = done >> 1;
        else if (!(await this.fail(part[0]!, error))) return 'stopped';
        else rest = rest.slice(1);
        continue;
      }
      // Rows that have become live include all that there is.
      if (this.progress.live || (isEnd && this.at === place)) return 'moved';
      rest = rest.slice(rest.findIndex((item) => item.to === this.at) + 1);
      most *= 2;
    }
  }

  /** Stands still from now on. */
  async stop(reason: string, cause: unknown = new Error(reason)): Promise<void> {
    this.stopped = reason;
    this.onStopped(reason, cause);
    await this.apply({ steps: this.at === this.progress.at ? [] : [{ to: this.at, changes: [] }], stopped: reason, live: false });
  }

  private fold(items: readonly Item[]): Folded {
    const steps: Step[] = [];
    const numbers = new Map<string, number>();
    for (const [done, item] of items.entries()) {
      const { key, to, letter } = item;
      if (this.parked.has(key)) {
        if (letter === undefined) {
          // Written, so that a process that doesn't know of a redrive hears of it.
          steps.push({ to, changes: [] });
          continue;
        }
        const number = (numbers.get(key) ?? this.parked.get(key)!.last) + 1;
        if (number - this.parked.get(key)!.first >= MOST_LETTERS) return { steps, done, failure: { cause: new TooManyLetters(key) } };
        numbers.set(key, number);
        steps.push({ to, changes: [], park: { key, number, reason: '', letter } });
        continue;
      }
      try {
        const changes = item.changes();
        if (changes.length > 0) steps.push({ to, changes });
      } catch (cause) {
        return { steps, done, failure: { cause } };
      }
    }
    return { steps, done: items.length, failure: null };
  }

  /** Answers whether to go on behind the item. */
  private async fail({ to, key, number, letter }: Item, cause: unknown): Promise<boolean> {
    if (this.owner.onError === 'park' && !(cause instanceof TooManyLetters) && this.parked.size < MOST_PARKED) {
      const park = { key, number, reason: reasonOf(cause), ...(letter !== undefined && { letter }) };
      await this.apply({ steps: [{ to, changes: [], park }] });
      return true;
    }
    await this.stop(reasonOf(cause), cause);
    return false;
  }

  private note({ key, number, reason }: Parking): void {
    const before = this.parked.get(key);
    const first = before ?? { line: this.line, key, first: number, reason };
    this.parked.set(key, { ...first, last: number, count: (before?.count ?? 0) + 1 });
  }

  private async refreshParked(): Promise<void> {
    const all = await this.models.parked(this.owner.name, MOST_PARKED);
    // What was set aside before there were partitions comes before what its partition delivers.
    const parked = all.filter(({ line }) => line === this.line || line === '');
    this.parked = new Map(parked.map((entry) => [entry.key, entry]));
  }
}

class TooManyLetters extends Error {
  constructor(key: string) {
    super(`more than ${MOST_LETTERS} events of ${key} are set aside`);
  }
}
