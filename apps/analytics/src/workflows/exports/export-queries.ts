import { Injectable } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { Config } from '@parlance/config';
import { Instant, type Refusal, refuse } from '@parlance/decider';
import { Clock } from '@parlance/foundation';
import { EngineFailed } from '../../adapters/exports/engine-process.ts';
import { SqlEngine } from '../../adapters/exports/engine.ts';
import { ExportCopies } from '../../adapters/exports/export-copies.ts';
import type { Report } from '../../adapters/exports/messages.ts';
import { dayOfHour, hourAt } from '../../domain/export-period.ts';
import { ExportsBetween } from '../../projections/exports/export-rows.ts';
import { fewestOf } from './export-versions.ts';

const DAY_MILLIS = 86_400_000;
const HOURS_OF_DAY = 24;
/** The most queries that one replica runs concurrently. Each has a process with its own memory. */
const AT_ONCE = 2;
/** The most bytes of one answer. */
const ANSWER_BYTES = 4 * 1024 * 1024;
export const MOST_DAYS = 366;
/** How long copies are kept that no query needs. */
const KEPT_COPIES_MILLIS = 3_600_000;

/** Answers SQL queries over the exports, each in its own process. */
@Injectable()
export class ExportQueries {
  private running = 0;
  private usedAt = 0;

  constructor(
    private readonly queries: QueryBus,
    private readonly copies: ExportCopies,
    private readonly engine: SqlEngine,
    private readonly config: Config,
    private readonly clock: Clock,
  ) {}

  /** The names of the database and of the table. */
  get names(): { readonly database: string; readonly table: string } {
    const prefix = `${this.config.environment}${this.config.stackPrefix}`;
    return { database: `${prefix}_usage_analysis`, table: `${prefix}_conversations` };
  }

  /**
   * The answer as JSON text, over the exports of the most recent days, including today. Throws the refusals of `refusalOf`, `exports_too_large` and
   * `queries_busy`.
   */
  async answer(sql: string, days: number): Promise<string> {
    if (this.running >= AT_ONCE)
      throw refuse('unavailable', 'queries_busy', 'Other queries are running. Try again in a few seconds.', { retry_after: 5 });
    this.running++;
    this.usedAt = this.clock.now();
    try {
      const versions = await this.versions(days);
      const report = await this.copies.use(versions, (files) =>
        this.engine.query({ sql, files, ...this.names, maxRows: this.config.exportQueryRows, maxBytes: ANSWER_BYTES }),
      );
      if (report.type === 'answer') return report.json;
      throw this.refusalOf(report);
    } catch (error) {
      throw error instanceof EngineFailed ? this.failureOf(error) : error;
    } finally {
      this.running--;
    }
  }

  /** Removes copies of exports that were rewritten or removed, and all copies if there was no query for an hour. */
  async removeOldCopies(): Promise<void> {
    const isIdle = this.clock.now() - this.usedAt > KEPT_COPIES_MILLIS;
    await this.copies.keepOnly(isIdle ? [] : await this.versions(MOST_DAYS));
  }

  private async versions(days: number) {
    const now = this.clock.now();
    const [from, to] = [hourAt(Instant.plus(now, -(days - 1) * DAY_MILLIS)), hourAt(now)].map(dayOfHour) as [string, string];
    const whole = await this.queries.execute(new ExportsBetween('day', from, to, days));
    const hours = await this.queries.execute(new ExportsBetween('hour', `${from}00`, `${to}23`, days * HOURS_OF_DAY));
    return fewestOf(whole, hours);
  }

  private refusalOf({ code, message }: Extract<Report, { type: 'refused' }>): Refusal {
    if (code === 'query_memory_exceeded') return this.memoryExceeded();
    return code === 'sql_invalid'
      ? refuse('invalid', code, `The query is not valid. The SQL engine reported: ${message.replace(/\.$/, '')}.`)
      : refuse('invalid', code, `The query is not allowed. ${message.replace(/\.$/, '')}.`);
  }

  private failureOf({ because }: EngineFailed): Refusal {
    const { exportQuerySeconds } = this.config;
    if (because === 'timeout')
      return refuse(
        'invalid',
        'query_timeout',
        `The query took longer than ${exportQuerySeconds} seconds and was stopped. Ask for fewer days or rows.`,
      );
    if (because === 'memory') return this.memoryExceeded();
    return refuse('unavailable', 'query_failed', 'The query process ended unexpectedly. Try again.', { retry_after: 1 });
  }

  private memoryExceeded(): Refusal {
    const { exportQueryMebibytes } = this.config;
    return refuse(
      'invalid',
      'query_memory_exceeded',
      `The query needs more than ${exportQueryMebibytes} MiB of memory and was stopped. Ask for fewer days, columns or groups.`,
    );
  }
}
