import { EngineFailed, type EngineOptions, EngineProcess } from './engine-process.ts';
import type { Order, Report, SqlQuery } from './messages.ts';

/** An order that writes takes at most this long. A day of a million conversations takes seconds. */
const WRITING_MILLIS = 600_000;
/** A process that waits for the next query is ended after this time. */
const IDLE_MILLIS = 60_000;

export interface QueryLimits {
  readonly timeoutMillis: number;
  readonly memoryMebibytes: number;
}

export interface SqlEngineOptions {
  /** For the files of orders and of queries. */
  readonly directory: string;
  readonly queries: QueryLimits;
}

/** Memory of a process that writes. Parquet groups are small, so that more rows do not take more memory. */
const WRITING: Pick<EngineOptions, 'memoryMebibytes' | 'threads'> = { memoryMebibytes: 512, threads: 1 };
const QUERY_THREADS = 2;

/** Runs the SQL engine in processes of its own: one for each order, so that nothing of an order is left for the next. */
export class SqlEngine {
  private readonly running = new Set<EngineProcess>();
  private readonly closing = new AbortController();
  private spare: { readonly process: EngineProcess; readonly timer: NodeJS.Timeout } | null = null;

  constructor(private readonly options: SqlEngineOptions) {}

  /** Writes Parquet and resolves with the number of rows. Rejects with `EngineFailed`. */
  async write(order: Exclude<Order, { type: 'query' }>): Promise<number> {
    const report = await this.run(new EngineProcess({ directory: this.options.directory, ...WRITING }), order, WRITING_MILLIS);
    if (report.type === 'written') return report.rows;
    throw new EngineFailed('message' in report ? report.message : 'The engine gave no answer.');
  }

  /** Rejects with `EngineFailed`, with its reason if the query took too long or too much memory. */
  async query(query: SqlQuery): Promise<Extract<Report, { type: 'answer' | 'refused' }>> {
    const process = this.taken() ?? this.started();
    const { timeoutMillis } = this.options.queries;
    const answering = this.run(process, { type: 'query', ...query }, timeoutMillis);
    const report = await answering.finally(() => this.keepSpare());
    if (report.type === 'answer' || report.type === 'refused') return report;
    throw new EngineFailed('message' in report ? report.message : 'The engine gave no answer.');
  }

  /** Throws `EngineFailed` when the engine is closed. */
  checkOpen(): void {
    this.closing.signal.throwIfAborted();
  }

  async close(): Promise<void> {
    this.closing.abort(new EngineFailed('The service is stopping.'));
    const spare = this.taken();
    await Promise.all([...(spare ? [spare] : []), ...this.running].map((process) => process.close()));
  }

  private started(): EngineProcess {
    const { memoryMebibytes } = this.options.queries;
    return new EngineProcess({ directory: this.options.directory, memoryMebibytes, threads: QUERY_THREADS });
  }

  private async run(process: EngineProcess, order: Order, timeoutMillis: number) {
    this.running.add(process);
    try {
      return await process.run(order, timeoutMillis, this.closing.signal);
    } finally {
      this.running.delete(process);
    }
  }

  /** The next query mostly follows soon, and then does not wait for a process to start. */
  private keepSpare(): void {
    if (this.spare || this.closing.signal.aborted) return;
    const process = this.started();
    process.rest();
    const timer = setTimeout(() => void this.taken()?.close(), IDLE_MILLIS);
    timer.unref();
    this.spare = { process, timer };
  }

  private taken(): EngineProcess | null {
    const { spare } = this;
    this.spare = null;
    if (!spare) return null;
    clearTimeout(spare.timer);
    return spare.process.isUsable ? spare.process : null;
  }
}
