import { headOf } from '@parlance/event-store/sqlite';
import type { SqliteFile, Transaction } from '@parlance/sqlite';
import { CheckpointMoved } from '../errors.ts';
import type { Batch, Progress } from '../read-models.ts';
import type { Live } from './live.ts';
import { progressOf, records, type Stored } from './records.ts';
import type { Rows } from './rows.ts';
import { Taking } from './take-steps.ts';

interface Waiting {
  readonly batch: Batch;
  resolve(progress: Progress): void;
  reject(error: unknown): void;
}

/** A batch whose steps were applied as far as the time of the unit allowed. */
interface Taken {
  readonly batch: Batch;
  readonly stored: Stored;
  readonly at: string;
  readonly isWhole: boolean;
}

/**
 * The units of work of one version. Batches of several partitions that wait at the same time share a unit, so that a row that all of them
 * change, as most sums are, is written once.
 */
export class Units {
  private readonly waiting: Waiting[] = [];
  private isQueued = false;

  constructor(
    private readonly file: SqliteFile,
    private readonly rows: Rows,
    private readonly live: Live,
  ) {}

  apply(batch: Batch): Promise<Progress> {
    return new Promise((resolve, reject) => {
      this.waiting.push({ batch, resolve, reject });
      if (!this.isQueued) void this.share();
    });
  }

  private async share(): Promise<void> {
    this.isQueued = true;
    const chosen: Waiting[] = [];
    try {
      const outcomes = await this.file.write((transaction) => {
        this.isQueued = false;
        try {
          return this.run(transaction, this.waiting, chosen);
        } finally {
          if (this.waiting.length > 0) void this.share();
        }
      });
      chosen.forEach((one, place) => settle(one, outcomes[place]!));
    } catch (error) {
      if (chosen.length === 0) {
        // The file refused the unit before it ran.
        this.isQueued = false;
        chosen.push(...this.waiting.splice(0));
      }
      if (chosen.length === 1) chosen[0]!.reject(error);
      else await Promise.all(chosen.map((one) => this.alone(one)));
    }
  }

  /** Used when a unit with several batches has failed: each of them gets a unit of its own. */
  private async alone(one: Waiting): Promise<void> {
    await this.file.write((transaction) => this.run(transaction, [one], [])).then(([outcome]) => settle(one, outcome!), one.reject);
  }

  /** Moves batches from `waiting` to `chosen`, one of each line, until the time of the unit is used up. Returns the outcome of each. */
  private run(transaction: Transaction, waiting: Waiting[], chosen: Waiting[]): readonly (Progress | CheckpointMoved)[] {
    const taking = new Taking(this.rows, transaction);
    const taken: (Taken | CheckpointMoved)[] = [];
    const lines = new Set<string>();
    for (let [next] = waiting; next && (taken.length === 0 || !taking.isOver); [next] = waiting) {
      const { batch } = next;
      if (lines.has(batch.from.line)) break;
      lines.add(batch.from.line);
      chosen.push(waiting.shift()!);
      taken.push(this.take(transaction, taking, batch));
    }
    taking.write();
    return taken.map((one) => (one instanceof CheckpointMoved ? one : this.move(transaction, one)));
  }

  private take(transaction: Transaction, taking: Taking, batch: Batch): Taken | CheckpointMoved {
    const { line, revision, projection } = batch.from;
    const stored = records.of(transaction, this.rows.declared.id, line);
    if (stored?.revision !== revision || stored.leaving) return new CheckpointMoved(projection);
    const [at, isWhole] = taking.take({ line, at: placeOf(transaction, stored) }, batch.steps);
    return { batch, stored, at, isWhole };
  }

  private move(transaction: Transaction, { batch, stored, at, isWhole }: Taken): Progress {
    const { reached, stopped, lines = {}, live } = batch;
    const { id, line } = stored;
    if (isWhole) for (const [name, place] of Object.entries(lines)) records.insert(transaction, id, name, place);
    const isLive = isWhole && live !== false && stopped === undefined && line === '' && this.live.join(transaction, id, Number(at));
    const moved = {
      ...stored,
      at,
      ready: stored.ready || isLive || (isWhole && reached === 1) ? 1 : 0,
      live: isLive ? 1 : 0,
      stopped: stopped ?? null,
    };
    records.move(transaction, moved);
    return progressIn(transaction, this.rows, { ...moved, revision: stored.revision + 1 });
  }
}

function settle({ resolve, reject }: Waiting, outcome: Progress | CheckpointMoved): void {
  if (outcome instanceof CheckpointMoved) reject(outcome);
  else resolve(outcome);
}

const placeOf = (transaction: Transaction, stored: Stored): string => (stored.live ? String(headOf(transaction)) : stored.at);

export const progressIn = (transaction: Transaction, { declared: { owner } }: Rows, stored: Stored): Progress =>
  progressOf(owner.name, { ...stored, at: placeOf(transaction, stored) });
