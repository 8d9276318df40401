import { Injectable } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { Clock } from '@parlance/foundation';
import type { Cursor } from '@parlance/read-models';
import { OwnExportFiles } from '../adapters/own-data/own-export-files.ts';
import { OwnExportsExpiredAt } from '../projections/own-data/own-exports.ts';
import { OwnExports } from '../workflows/own-data/own-exports.ts';

/** Removes the files of expired exports, and files left by a crashed worker or an interrupted removal. */
@Injectable()
export class EndOwnExportsWhenTheyExpire {
  /** Where the last page ended, so that items that always fail do not block later ones. Null starts with the first. */
  private afterExpired: Cursor | null = null;
  /** Where the last sweep of stored files ended. */
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
    // Failures do not stop the round. A later round tries them again.
    if (failures.length > 0) throw new AggregateError(failures, `${failures.length} exports of own data could not be ended`);
  }

  /** Checks the next page of files, and after the last one starts again. The user's stream shows whether a file is needed. */
  async sweep(): Promise<void> {
    const stored = await this.files.stored(this.after);
    for (const file of stored) if (!(await this.exports.isNeeded(file))) await this.files.remove(file);
    this.after = stored.at(-1)?.key ?? null;
  }
}
