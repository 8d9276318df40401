import { Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { Timers } from '@parlance/foundation';
import { DueExports } from '../workflows/exports/due-exports.ts';
import { ExportRetention } from '../workflows/exports/export-retention.ts';
import { ExportQueries } from '../workflows/exports/export-queries.ts';

const EVERY_MILLIS = 5_000;
const REMOVE_EVERY_MILLIS = 300_000;

/** Exports are written when their hours are over, again when late events or erasures changed them, and removed when they are old. */
@Injectable()
export class WriteExportsWhenDue implements OnApplicationBootstrap {
  constructor(
    private readonly due: DueExports,
    private readonly retention: ExportRetention,
    private readonly sql: ExportQueries,
    private readonly timers: Timers,
  ) {}

  onApplicationBootstrap(): void {
    this.timers.every(EVERY_MILLIS, 'write exports', () => this.due.write());
    this.timers.every(REMOVE_EVERY_MILLIS, 'remove exports by retention rules', () => this.retention.removeOld());
    this.timers.every(REMOVE_EVERY_MILLIS, 'remove old exports', async () => {
      await this.due.removeOld();
      await this.sql.removeOldCopies();
    });
  }
}
