import { link, mkdtemp } from 'node:fs/promises';
import { join } from 'node:path';
import { EngineFailed, type EngineOptions, EngineProcess } from './engine-process.ts';
import type { Order, Report, SqlQuery } from './messages.ts';

/** The time limit of an order that writes. A day of a million conversations takes seconds. */
const WRITING_MILLIS = 600_000;
/** A process that waits for the next query is ended after this time. */
const IDLE_MILLIS = 60_000;

export interface QueryLimits {
  readonly timeoutMillis: number;
  readonly memoryMebibytes: number;
}

export interface SqlEngineOptions {
  /** The directory for the files of orders and queries. */
  readonly directory: string;
  readonly queries: QueryLimits;
}

/** Memory of a process that writes. Parquet row groups are small, so more rows do not need more memory. */
const WRITING: Pick<EngineOptions, 'memoryMebibytes' | 'threads'> = { memoryMebibytes: 512, threads: 1 };
const QUERY_THREADS = 2;

/** Runs the SQL engine in separate processes, one for each order, so that no state survives an order. */
export class SqlEngine {
  private readonly running = new Set<EngineProcess>();
  private readonly closing = new AbortController();
  private spare: { readonly process: Promise<EngineProcess>; readonly timer: NodeJS.Timeout } | null = null;

  constructor(private readonly options: SqlEngineOptions) {}

  /** Writes Parquet and resolves with the number of rows. Rejects with `EngineFailed`. */
  async write(order: Exclude<Order, { type: 'query' }>): Promise<number> {
    const process = new EngineProcess({ directory: this.options.directory, ownsDirectory: false, ...WRITING });
    const report = await this.run(process, order, WRITING_MILLIS);
    if (report.type === 'written') return report.rows;
    throw new EngineFailed('message' in report ? report.message : 'The engine returned no result.');
  }

  /** Rejects with `EngineFailed`, with the reason if the query took too long or used too much memory. */
  async query(query: SqlQuery): Promise<Extract<Report, { type: 'answer' | 'refused' }>> {
    const process = await this.taken();
    const { timeoutMillis } = this.options.queries;
    const answering = this.linked(process, query.files).then(() => this.run(process, { type: 'query', ...query }, timeoutMillis));
    const report = await answering.finally(() => this.keepSpare());
    if (report.type === 'answer' || report.type === 'refused') return report;
    throw new EngineFailed('message' in report ? report.message : 'The engine returned no result.');
  }

  /** Throws `EngineFailed` when the engine is closed. */
  checkOpen(): void {
    this.closing.signal.throwIfAborted();
  }

  async close(): Promise<void> {
    this.closing.abort(new EngineFailed('The service is stopping.'));
    const spare = await this.takeSpare();
    await Promise.all([...(spare ? [spare] : []), ...this.running].map((process) => process.close()));
  }

  /** A process for one query, in a folder with only the files of this query. */
  private async started(): Promise<EngineProcess> {
    const { memoryMebibytes } = this.options.queries;
    const directory = await mkdtemp(join(this.options.directory, 'query-'));
    return new EngineProcess({ directory, ownsDirectory: true, memoryMebibytes, threads: QUERY_THREADS });
  }

  private async linked(process: EngineProcess, files: readonly string[]): Promise<void> {
    try {
      await Promise.all(files.map((file) => link(join(this.options.directory, file), join(process.directory, file))));
    } catch (error) {
      await process.close();
      throw error;
    }
  }

  private async run(process: EngineProcess, order: Order, timeoutMillis: number) {
    this.running.add(process);
    try {
      return await process.run(order, timeoutMillis, this.closing.signal);
    } finally {
      this.running.delete(process);
    }
  }

  /** Starts a process for the next query, which usually follows soon and then does not wait for a start. */
  private keepSpare(): void {
    if (this.spare || this.closing.signal.aborted) return;
    const process = this.started();
    // If the process cannot be started, the next query tries again.
    process.then(
      (started) => started.rest(),
      () => undefined,
    );
    const timer = setTimeout(() => void this.takeSpare().then((spare) => spare?.close()), IDLE_MILLIS);
    timer.unref();
    this.spare = { process, timer };
  }

  private async taken(): Promise<EngineProcess> {
    const spare = await this.takeSpare();
    if (spare?.isUsable) return spare;
    await spare?.close();
    return this.started();
  }

  private async takeSpare(): Promise<EngineProcess | null> {
    const { spare } = this;
    this.spare = null;
    if (!spare) return null;
    clearTimeout(spare.timer);
    return spare.process.catch(() => null);
  }
}
