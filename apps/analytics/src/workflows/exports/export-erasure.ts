import { setTimeout as pause } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { Clock } from '@parlance/foundation';
import type { Cursor } from '@parlance/read-models';
import { ExportFiles } from '../../adapters/exports/export-files.ts';
import { ExecuteExport } from '../../commands/aggregates.ts';
import { dayOfHour, type Period } from '../../domain/export-period.ts';
import { HoursWith } from '../../projections/exports/export-index.ts';
import { ExportsOf } from '../../projections/exports/export-rows.ts';
import { DueExports } from './due-exports.ts';
import { ExportQueries } from './export-queries.ts';

const PAGE = 500;
/** How long one call waits for the exports to be rewritten. Remaining files are removed, and written again later. */
const WAITING_MILLIS = 10_000;
const REMOVED_AT_ONCE = 16;
const BETWEEN_TRIES_MILLIS = 100;

/** Removes a user's content from the exports. Rows keep their IDs and costs, as all figures do. */
@Injectable()
export class ExportErasure {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
    private readonly files: ExportFiles,
    private readonly due: DueExports,
    private readonly sql: ExportQueries,
    private readonly clock: Clock,
  ) {}

  /** Removes the content. The user must be known as erased before. */
  async erase(userId: string): Promise<void> {
    if (!this.files.isThere) return;
    const outdated = new Set<Period>();
    for await (const hours of this.hoursWith(userId)) {
      const periods = [...new Set(hours.flatMap((hour) => [hour, dayOfHour(hour)]))];
      const known = await this.queries.execute(new ExportsOf(periods));
      for (const period of known.keys()) {
        if (outdated.has(period)) continue;
        outdated.add(period);
        const once = `erase ${userId} from export ${period}`;
        await this.commands.execute(new ExecuteExport(period, { type: 'Outdate' }, { once }));
      }
    }
    await this.wait([...outdated]);
    await this.sql.removeOldCopies();
  }

  /** The number of the user's rows in exports. */
  async rowsOf(userId: string): Promise<number> {
    if (!this.files.isThere) return 0;
    let rows = 0;
    for await (const hours of this.hoursWith(userId)) {
      const known = await this.queries.execute(new ExportsOf(hours));
      rows += hours.filter((hour) => known.get(hour)?.written).length;
    }
    return rows;
  }

  private async *hoursWith(userId: string): AsyncGenerator<readonly Period[]> {
    let after: Cursor | null = null;
    do {
      const page: { hours: readonly Period[]; next: Cursor | null } = await this.queries.execute(
        new HoursWith({ user_id: userId }, PAGE, after),
      );
      yield page.hours;
      after = page.next;
    } while (after !== null);
  }

  private async wait(periods: readonly Period[]): Promise<void> {
    const end = this.clock.steady() + WAITING_MILLIS;
    for (;;) {
      const left = await this.outdatedOf(periods);
      if (left.length === 0) return;
      if (this.clock.steady() > end) return this.remove(left);
      // Another process may be writing one of the files, or inference may be down.
      if (!(await this.due.writeOutdated(end))) await pause(BETWEEN_TRIES_MILLIS);
    }
  }

  private async outdatedOf(periods: readonly Period[]): Promise<Period[]> {
    const found: Period[] = [];
    for (let from = 0; from < periods.length; from += PAGE) {
      const rows = await this.queries.execute(new ExportsOf(periods.slice(from, from + PAGE)));
      for (const { period, status } of rows.values()) if (status === 'outdated') found.push(period);
    }
    return found;
  }

  /** Removes files. A file that is being written at this time contains no erased content, because earlier claims have ended. */
  private async remove(periods: Period[]): Promise<void> {
    const work = async () => {
      for (let period = periods.pop(); period !== undefined; period = periods.pop()) await this.files.remove(period);
    };
    await Promise.all(Array.from({ length: REMOVED_AT_ONCE }, work));
  }
}
