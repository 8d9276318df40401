import { Inject, Injectable } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { Config } from '@parlance/config';
import { Instant } from '@parlance/decider';
import { Clock, LOGGER, PagedRounds } from '@parlance/foundation';
import { ShutdownPlan } from '@parlance/observability';
import type { Cursor } from '@parlance/read-models';
import type { Logger } from 'pino';
import { ExportFiles } from '../../adapters/exports/export-files.ts';
import { ExecuteExport } from '../../commands/aggregates.ts';
import { dayOfHour, isDay, type Period, spanOf } from '../../domain/export-period.ts';
import { HourOf, type HourRow, HoursTouched, oldestHourKept } from '../../projections/exports/export-index.ts';
import { ExportsBetween, ExportsOf, type ExportRow, OutdatedExports } from '../../projections/exports/export-rows.ts';
import { ExportRetention } from './export-retention.ts';
import { ExportWriter } from './export-writer.ts';
import { writesOf } from './export-versions.ts';

/** The shortest time between rewrites of an export after late events. */
export const REWRITE_MILLIS = 3_600_000;
/** How often all hours are checked. In between, only hours with newer events are checked. */
const SCAN_MILLIS = 3_600_000;
/** How long to wait before a failed export is tried again. Each try adds events to its stream. */
const RETRY_MILLIS = 60_000;
const PAGE = 500;
const HOURS_OF_DAY = 24;
const FIRST = '0000000000';
const LAST = '9999999999';

/**
 * Finds the exports that are due and writes them: hours that are over, hours with late events, days whose hours are written, and exports with
 * erased content. Any replica may do this, because each export is claimed.
 */
@Injectable()
export class DueExports {
  private readonly behind = new Set<Period>();
  private readonly days = new Set<Period>();
  private readonly failed = new Map<Period, Instant>();
  private scannedAt = 0;
  private since = '';
  private isStopping = false;
  private hasOutdated = true;
  private readonly removals = new PagedRounds<ExportRow, never>('old exports could not be removed', ({ period }) => period);

  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
    private readonly writer: ExportWriter,
    private readonly files: ExportFiles,
    private readonly retention: ExportRetention,
    private readonly config: Config,
    private readonly clock: Clock,
    @Inject(LOGGER) private readonly log: Logger,
    shutdown: ShutdownPlan,
  ) {
    shutdown.stop('consumers', 'analytics: exports', () => {
      this.isStopping = true;
    });
  }

  /** Whether every export that was due in the last round is written. */
  get hasNone(): boolean {
    return !this.files.isThere || (!this.hasOutdated && this.behind.size === 0 && this.days.size === 0);
  }

  async write(): Promise<void> {
    if (!this.files.isThere) return;
    this.hasOutdated = !(await this.writeOutdated());
    await this.find();
    for (const hour of [...this.behind].sort()) await this.attempt(hour, () => this.writeHour(hour));
    for (const day of [...this.days].sort()) await this.attempt(day, () => this.writeDay(day));
  }

  /** Rewrites the exports that may contain erased content, until a moment of `clock.steady`. Returns whether none is left. */
  async writeOutdated(until = Number.POSITIVE_INFINITY): Promise<boolean> {
    const rows = await this.queries.execute(new OutdatedExports(PAGE));
    let isDone = rows.length < PAGE;
    // Hours first, because days are built from them.
    for (const { period } of rows.toSorted((one, other) => Number(isDay(one.period)) - Number(isDay(other.period))))
      isDone = this.clock.steady() < until && (await this.attempt(period, () => this.again(period))) && isDone;
    return isDone;
  }

  /** Removes the files that are too old. */
  async removeOld(): Promise<void> {
    if (!this.files.isThere) return;
    const oldest = oldestHourKept(this.clock.now());
    for (const kind of ['hour', 'day'] as const) {
      const rows = await this.queries.execute(new ExportsBetween(kind, FIRST, oldest, PAGE));
      const old = rows.filter((row) => spanOf(row.period).to <= spanOf(oldest).from);
      await this.removals.run(
        async () => ({ rows: old, next: null }),
        async ({ period }) => {
          await this.files.remove(period);
          await this.commands.execute(new ExecuteExport(period, { type: 'Expire' }));
        },
      );
    }
  }

  /** Attempts the work on one export. A failure does not delay the others. */
  private async attempt(period: Period, work: () => Promise<boolean>): Promise<boolean> {
    const now = this.clock.now();
    const failedAt = this.failed.get(period);
    if (this.isStopping || (failedAt !== undefined && now - failedAt < RETRY_MILLIS)) return false;
    try {
      this.failed.delete(period);
      return await work();
    } catch (error) {
      this.failed.set(period, now);
      if (!this.isStopping) this.log.error({ err: error, period }, 'an export could not be written; another attempt follows');
      return false;
    }
  }

  /** Finds hours whose files are out of date, and their days. */
  private async find(): Promise<void> {
    const now = this.clock.now();
    const isWhole = now - this.scannedAt >= SCAN_MILLIS;
    const oldest = await this.retention.oldestWritten();
    this.forgetBefore(oldest);
    if (isWhole) await this.findDays(oldest);
    const since = isWhole ? '' : this.since;
    for (let after: Cursor | null = null; ;) {
      const page: { rows: readonly HourRow[]; next: Cursor | null } = await this.queries.execute(new HoursTouched(since, PAGE, after));
      const known = await this.queries.execute(new ExportsOf(page.rows.map(({ hour }) => hour)));
      for (const { hour, changes } of page.rows) if (hour >= oldest && known.get(hour)?.written?.changes !== changes) this.behind.add(hour);
      const newest = page.rows.at(-1)?.touched_at;
      // Events of different conversations arrive in any order.
      if (newest !== undefined) this.since = Instant.toString(Instant.plus(Instant.parse(newest), -SCAN_MILLIS));
      if (page.next === null) break;
      after = page.next;
    }
    if (isWhole) this.scannedAt = now;
  }

  /** Drops due exports that have become too old. */
  private forgetBefore(oldest: Period): void {
    for (const hour of this.behind) if (hour < oldest) this.behind.delete(hour);
    for (const day of this.days) if (day < dayOfHour(oldest)) this.days.delete(day);
  }

  private async findDays(oldest: Period): Promise<void> {
    for (let from = oldest; ;) {
      const rows = await this.queries.execute(new ExportsBetween('hour', from, LAST, PAGE));
      for (const { period } of rows) this.days.add(dayOfHour(period));
      if (rows.length < PAGE) return;
      from = rows.at(-1)!.period;
    }
  }

  private isOver(period: Period): boolean {
    return this.clock.now() >= spanOf(period).to + this.config.exportDelayMinutes * 60_000;
  }

  private mayBeWritten(row: ExportRow | undefined): boolean {
    return row?.status !== 'written' || row.written_at === null || this.clock.now() - row.written_at >= REWRITE_MILLIS;
  }

  private async writeHour(hour: Period): Promise<boolean> {
    if (!this.isOver(hour)) return false;
    const row = await this.queries.execute(new HourOf(hour));
    const known = (await this.queries.execute(new ExportsOf([hour]))).get(hour);
    if (!row || (known?.status === 'written' && known.written?.changes === row.changes)) return this.behind.delete(hour);
    if (!this.mayBeWritten(known) || !(await this.writer.write(hour, row.changes))) return false;
    this.behind.delete(hour);
    this.days.add(dayOfHour(hour));
    return true;
  }

  private async writeDay(day: Period): Promise<boolean> {
    if (!this.isOver(day)) return false;
    const hours = await this.queries.execute(new ExportsBetween('hour', `${day}00`, `${day}23`, HOURS_OF_DAY));
    const known = (await this.queries.execute(new ExportsOf([day]))).get(day);
    if (hours.length === 0 || (known?.status === 'written' && known.written?.changes === writesOf(hours))) return this.days.delete(day);
    const isWhole = hours.every(({ status }) => status === 'written');
    if (!isWhole || [...this.behind].some((hour) => dayOfHour(hour) === day)) return false;
    return this.mayBeWritten(known) && this.writer.write(day, writesOf(hours));
  }

  /** Rewrites an export at once, without waiting for late events, because erased content must be removed. */
  private async again(period: Period): Promise<boolean> {
    if (!isDay(period)) {
      const row = await this.queries.execute(new HourOf(period));
      this.days.add(dayOfHour(period));
      return this.writer.write(period, row?.changes ?? 0);
    }
    const hours = await this.queries.execute(new ExportsBetween('hour', `${period}00`, `${period}23`, HOURS_OF_DAY));
    if (hours.some(({ status }) => status === 'outdated')) return false;
    return this.writer.write(period, writesOf(hours));
  }
}
