import { Injectable } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { Clock } from '@parlance/foundation';
import type { Cursor } from '@parlance/read-models';
import { OwnExportFiles } from '../adapters/own-data/own-export-files.ts';
import { OwnExportsExpiredAt } from '../projections/own-data/own-exports.ts';
import { OwnExports } from '../workflows/own-data/own-exports.ts';

/** Removes the files of exports whose time has passed, and files that a lost worker or an interrupted removal has left. */
@Injectable()
export class EndOwnExportsWhenTheyExpire {
  /** Where the last page ended: items that fail for good do not hold up those behind them. Null begins with the first. */
  private afterExpired: Cursor | null = null;
  /** Where the last look at stored files ended. */
  private after: string | null = null;

  constructor(
    private readonly queries: QueryBus,
    private readonly exports: OwnExports,
    private readonly files: OwnExportFiles,
    private readonly clock: Clock,
  ) {}

  async end(): Promise<void> {
    const failures: unknown[] = [];
    const { rows, next } = await this.queries.execute(new OwnExportsExpiredAt(this.clock.now(), this.afterExpired));
    this.afterExpired = next;

    for (const row of rows) await this.exports.expire(row).catch((error: unknown) => failures.push(error));
    // The others were not held up by these, which a later round takes up again.
    if (failures.length > 0) throw new AggregateError(failures, `${failures.length} exports of own data could not be ended`);
  }

  /** Looks at the next files, and from the first one again after the last. The stream of its user says whether a file is needed. */
  async sweep(): Promise<void> {
    const stored = await this.files.stored(this.after);
    for (const place of stored) if (!(await this.exports.isNeeded(place))) await this.files.remove(place);
    this.after = stored.at(-1)?.key ?? null;
  }
}
