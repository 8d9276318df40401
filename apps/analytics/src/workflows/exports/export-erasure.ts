import { setTimeout as pause } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { erasureIncomplete } from '@parlance/foundation';
import type { Cursor } from '@parlance/read-models';
import { ExportFiles } from '../../adapters/exports/export-files.ts';
import { ExecuteExport } from '../../commands/aggregates.ts';
import { dayOfHour, type Period } from '../../domain/export-period.ts';
import { HoursWith } from '../../projections/export-index.ts';
import { ExportsOf } from '../../projections/exports.ts';
import { DueExports } from './due-exports.ts';
import { ExportQueries } from './export-queries.ts';

const PAGE = 500;
/** How long one call waits for the exports to be written again. What is left is done by the next delivery of the event. */
const WAITING_MILLIS = 10_000;
const BETWEEN_TRIES_MILLIS = 100;

/** Removes the content of a user from the exports. Rows keep their IDs and costs, as all figures do. */
@Injectable()
export class ExportErasure {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
    private readonly files: ExportFiles,
    private readonly due: DueExports,
    private readonly sql: ExportQueries,
  ) {}

  /**
   * Resolves with how many rows of the user there are in exports, when their content is gone. The user has to be known as erased before. Throws
   * `erasure_incomplete` (unavailable).
   */
  async erase(userId: string): Promise<number> {
    if (!this.files.isThere) return 0;
    let rows = 0;
    const outdated = new Set<Period>();
    for (let after: Cursor | null = null; ;) {
      const { hours, next }: { hours: readonly Period[]; next: Cursor | null } = await this.queries.execute(
        new HoursWith({ user_id: userId }, PAGE, after),
      );
      const periods = [...new Set(hours.flatMap((hour) => [hour, dayOfHour(hour)]))];
      const known = await this.queries.execute(new ExportsOf(periods));
      rows += hours.filter((hour) => known.get(hour)?.written).length;
      for (const period of known.keys()) {
        if (outdated.has(period)) continue;
        outdated.add(period);
        const once = `erase ${userId} from export ${period}`;
        await this.commands.execute(new ExecuteExport(period, { type: 'Outdate' }, { once }));
      }
      if (next === null) break;
      after = next;
    }
    await this.wait([...outdated]);
    await this.sql.removeOldCopies();
    return rows;
  }

  private async wait(periods: readonly Period[]): Promise<void> {
    const end = performance.now() + WAITING_MILLIS;
    while (await this.isOutdated(periods)) {
      if (performance.now() > end) throw erasureIncomplete();
      // Another process may be writing one of them.
      if (!(await this.due.writeOutdated())) await pause(BETWEEN_TRIES_MILLIS);
    }
  }

  private async isOutdated(periods: readonly Period[]): Promise<boolean> {
    for (let from = 0; from < periods.length; from += PAGE) {
      const rows = await this.queries.execute(new ExportsOf(periods.slice(from, from + PAGE)));
      if ([...rows.values()].some(({ status }) => status === 'outdated')) return true;
    }
    return false;
  }
}
