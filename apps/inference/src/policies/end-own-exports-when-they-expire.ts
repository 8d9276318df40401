import { Injectable } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { Clock, PagedRounds } from '@parlance/foundation';
import type { Cursor } from '@parlance/read-models';
import { OwnExportFiles, type StoredExport } from '../adapters/own-data/own-export-files.ts';
import { type OwnExportRow, OwnExportsExpiredAt } from '../projections/own-data/own-exports.ts';
import { OwnExports } from '../workflows/own-data/own-exports.ts';

/** Removes the files of expired exports, and files left by a crashed worker or an interrupted removal. */
@Injectable()
export class EndOwnExportsWhenTheyExpire {
  private readonly expired = new PagedRounds<OwnExportRow, Cursor>('exports of own data could not be ended', ({ export_id }) => export_id);
  private readonly sweeps = new PagedRounds<StoredExport, string>('files of exports could not be checked', ({ key }) => key);

  constructor(
    private readonly queries: QueryBus,
    private readonly exports: OwnExports,
    private readonly files: OwnExportFiles,
    private readonly clock: Clock,
  ) {}

  async end(): Promise<void> {
    await this.expired.run(
      (after) => this.queries.execute(new OwnExportsExpiredAt(this.clock.now(), after)),
      (row) => this.exports.expire(row),
    );
  }

  /** Checks the next page of files, and after the last one starts again. The user's stream shows whether a file is needed. */
  async sweep(): Promise<void> {
    await this.sweeps.run(
      async (after) => {
        const rows = await this.files.stored(after);
        return { rows, next: rows.at(-1)?.key ?? null };
      },
      async (file) => {
        if (!(await this.exports.isNeeded(file))) await this.files.remove(file);
      },
    );
  }
}
