import { type Failure, ProjectionStopped, ReadModelBuilding, RebuildInterrupted, RebuildRunning } from '../../errors.ts';
import type { TableOwner } from '../../table.ts';
import type { Generation, ReadModels } from '../../read-models.ts';
import { type NextRows, type RowsProgress, untilIncluded } from './next-rows.ts';

/** How often a process checks for rows that another process has rebuilt. */
const LOOK_MS = 10_000;
/** A rebuild whose process has not declared its rows for this long is continued by another process. */
const LEASE_MS = 15_000;
const RENEW_MS = 4_000;
/** Rows of earlier generations that no process has declared for this long are removed. */
const UNUSED_MS = 60_000;

export interface RebuildsOptions {
  readonly models: ReadModels;
  readonly owners: readonly TableOwner[];
  /** Begins to build rows beside those in use. */
  readonly begin: (projection: string, next: ReadModels) => Promise<NextRows>;
  /** Runs one change of the served rows of a projection after the other. */
  readonly inTurn: (projection: string, work: () => Promise<void>) => Promise<void>;
  readonly report: (failure: Failure) => void;
}

interface Running {
  rows: NextRows | null;
  done: Promise<unknown>;
}

/**
 * Rebuilds read models beside the rows in use. The new rows are the next generation of the same version. The progress record of a
 * generation is the only state: any process continues a rebuild whose process was killed, and every process adopts a newer generation that
 * is ready.
 */
export class Rebuilds {
  private readonly running = new Map<string, Running>();
  private readonly stopping = new AbortController();
  private timer: NodeJS.Timeout | undefined;
  private tending: Promise<unknown> = Promise.resolve();

  constructor(private readonly options: RebuildsOptions) {}

  start(): void {
    const tend = () => {
      this.tending = this.tendAll();
    };
    tend();
    if (this.options.models.isShared) this.timer = setInterval(tend, LOOK_MS).unref();
  }

  async stop(): Promise<void> {
    clearInterval(this.timer);
    this.stopping.abort();
    await this.tending;
    await Promise.allSettled([...this.running.values()].map(({ done }) => done));
  }

  /**
   * Rejects with `RebuildRunning`, `ReadModelBuilding`, `ProjectionStopped` or `RebuildInterrupted`. In these cases the rows in use do not
   * change.
   */
  async rebuild(name: string): Promise<RowsProgress> {
    if (this.running.has(name)) throw new RebuildRunning(name);
    return this.run(name, () => this.claimed(name));
  }

  /** Null while the projection is not being rebuilt by this process. */
  async progress(name: string): Promise<RowsProgress | null> {
    return (await this.running.get(name)?.rows?.progress()) ?? null;
  }

  /** Looks for rebuilds of other processes: adopts their results, continues rebuilds of killed processes, and removes unused rows. */
  async tend(owner: TableOwner, stored?: readonly Generation[]): Promise<void> {
    const { models } = this.options;
    const { name } = owner;
    if (this.running.has(name)) return;
    const current = models.generation(name);
    const all = stored ?? (await models.generations(name));
    if (all.every(({ number }) => number === current)) return;
    const newest = all.at(-1)!;
    const isNewer = newest.number > current;
    const isLeft = !models.isShared || newest.usedAt < Date.now() - LEASE_MS;
    if (isNewer && (newest.ready || isLeft)) {
      // Not awaited, because it may take long.
      void this.run(name, async () => newest.number).catch((error: unknown) => this.failed(name, error));
    }
    // Shows the other processes that these rows are in use.
    await models.prepare([owner]);
    const unused = all.filter(({ number, usedAt }) => number !== newest.number && number !== current && usedAt < this.unusedSince());
    for (const { number } of unused) await this.remove(owner, number);
  }

  private unusedSince(): number {
    return Date.now() + (this.options.models.isShared ? -UNUSED_MS : 1);
  }

  private async tendAll(): Promise<void> {
    const { models, owners, report } = this.options;
    const stored = await models.generationsOfAll?.().catch((error: unknown) => {
      report({ projection: null, error, stopped: false });
      return null;
    });
    if (stored === null) return;
    for (const owner of owners) {
      if (this.stopping.signal.aborted) return;
      await this.tend(owner, stored?.get(owner.name)).catch((error: unknown) => this.failed(owner.name, error));
    }
  }

  private failed(projection: string, error: unknown): void {
    if (error instanceof RebuildInterrupted || error instanceof RebuildRunning) return;
    this.options.report({ projection, error, stopped: false });
  }

  /** The number of the generation to build. */
  private async claimed(name: string): Promise<number> {
    const { models } = this.options;
    if (models.built(name) < 1) throw new ReadModelBuilding(name, models.built(name));
    const newest = (await models.generations(name)).at(-1);
    const current = models.generation(name);
    if (!newest || newest.number <= current) return current + 1;
    const isClaimed = models.isShared && newest.usedAt > Date.now() - LEASE_MS;
    if (newest.ready || isClaimed) throw new RebuildRunning(name);
    return newest.number;
  }

  private run(name: string, claim: () => Promise<number>): Promise<RowsProgress> {
    const running: Running = { rows: null, done: Promise.resolve() };
    this.running.set(name, running);
    const outcome = this.build(name, running, claim).finally(() => this.running.delete(name));
    running.done = outcome;
    return outcome;
  }

  private async build(name: string, running: Running, claim: () => Promise<number>): Promise<RowsProgress> {
    const { models, begin, inTurn, report } = this.options;
    const owner = this.options.owners.find((each) => each.name === name)!;
    const number = await claim();
    const before = models.generation(name);
    const next = models.beside(number);
    await next.prepare([owner]);
    const again = (error: unknown) => report({ projection: name, error, stopped: false });
    const renew = setInterval(() => void next.prepare([owner]).catch(again), RENEW_MS).unref();
    const rows = (running.rows = await begin(name, next));
    try {
      const included = () => untilIncluded(rows, this.stopping.signal, again);
      await included();
      const progress = await rows.progress();
      await inTurn(name, () => rows.replaceServed(included, () => models.adopt(name, number)));
      if (models.isShared) await models.beside(before).prepare([owner]);
      else await this.remove(owner, before);
      return progress;
    } catch (error) {
      await rows.end();
      if (this.stopping.signal.aborted) throw new RebuildInterrupted(name);
      // A new attempt would stop at the same event.
      if (error instanceof ProjectionStopped) await this.remove(owner, number);
      throw error;
    } finally {
      clearInterval(renew);
    }
  }

  private async remove(owner: TableOwner, generation: number): Promise<void> {
    const rows = this.options.models.beside(generation);
    await rows.prepare([owner]);
    await rows.drop(owner.name);
  }
}
