import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Injectable } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { Instant, Refusal } from '@parlance/decider';
import { newId } from '@parlance/event-store';
import { Clock, Streams } from '@parlance/foundation';
import { SqlEngine } from '../../adapters/exports/engine.ts';
import { ExportCopies } from '../../adapters/exports/export-copies.ts';
import { ExportFiles } from '../../adapters/exports/export-files.ts';
import { ExecuteExport } from '../../commands/aggregates.ts';
import { exporting, exportStream } from '../../domain/export.ts';
import { isDay, type Period } from '../../domain/export-period.ts';
import { ExportsBetween } from '../../projections/exports/export-rows.ts';
import { versionsOf } from './export-versions.ts';
import { HourRows } from './hour-rows.ts';

/** How long a crashed process blocks its successor. */
export const LEASE_MILLIS = 120_000;
const RENEW_MILLIS = 30_000;
const HOURS_OF_DAY = 24;

/** Writes the file of one period under a claim. Another process takes over when the claim has expired. */
@Injectable()
export class ExportWriter {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
    private readonly streams: Streams,
    private readonly rows: HourRows,
    private readonly files: ExportFiles,
    private readonly copies: ExportCopies,
    private readonly engine: SqlEngine,
    private readonly clock: Clock,
  ) {}

  /** `changes`: how many changes the file is going to include. False if another process has the claim, or this one lost it. */
  async write(period: Period, changes: number): Promise<boolean> {
    const claim = newId();
    const now = this.clock.now();
    if (!(await this.isMine(period, { type: 'Claim', claim, changes, now, until: Instant.plus(now, LEASE_MILLIS) }))) return false;
    let isLost = false;
    const renew = async () => {
      const until = Instant.plus(this.clock.now(), LEASE_MILLIS);
      isLost = !(await this.isMine(period, { type: 'Renew', claim, until }));
    };
    // A failed renewal is repeated. The log decides whether this process may finish.
    const timer = setInterval(() => void renew().catch(() => {}), RENEW_MILLIS);
    const [source, target] = [`${claim}.rows.part`, `${claim}.parquet.part`];
    try {
      const between = async () => {
        if (isLost) throw new ClaimLost();
        this.engine.checkOpen();
      };
      const rows = isDay(period) ? await this.join(period, target) : await this.writeHour(period, source, target, between);
      await between();
      // Content of these rows may have been erased meanwhile. Then this file must not replace one without that content.
      const { state } = await this.streams.look(exporting, exportStream(period));
      if (state.claim?.id !== claim) throw new ClaimLost();
      const bytes = await this.files.put(period, join(this.copies.directory, target));
      const written = { key: this.files.keyOf(period), bytes, rows, changes };
      if (await this.isMine(period, { type: 'Finish', claim, written })) return true;
      // This file may have replaced a newer one.
      await this.commands.execute(new ExecuteExport(period, { type: 'Outdate' }));
      return false;
    } catch (error) {
      if (error instanceof ClaimLost) return false;
      await this.commands.execute(new ExecuteExport(period, { type: 'Release', claim }));
      throw error;
    } finally {
      clearInterval(timer);
      for (const name of [source, target]) await rm(join(this.copies.directory, name), { force: true });
    }
  }

  private async writeHour(hour: Period, source: string, target: string, between: () => Promise<void>): Promise<number> {
    await this.rows.write(hour, join(this.copies.directory, source), between);
    return this.engine.write({ type: 'write', source, target });
  }

  private async join(day: Period, target: string): Promise<number> {
    const hours = await this.queries.execute(new ExportsBetween('hour', `${day}00`, `${day}23`, HOURS_OF_DAY));
    return this.copies.use(versionsOf(hours), (sources) => this.engine.write({ type: 'join', sources, target }));
  }

  /** False if the log refuses the command because another process has the claim. */
  private async isMine(period: Period, command: ConstructorParameters<typeof ExecuteExport>[1]): Promise<boolean> {
    try {
      await this.commands.execute(new ExecuteExport(period, command));
      return true;
    } catch (error) {
      if (error instanceof Refusal && error.kind === 'conflict') return false;
      throw error;
    }
  }
}

class ClaimLost extends Error {}
