import { Injectable } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { ServiceCalls } from '@parlance/calls';
import { Clock, Streams } from '@parlance/foundation';
import { OwnExportFiles, type OwnExportFile } from '../../adapters/own-data/own-export-files.ts';
import { ExecuteOwnExport } from '../../commands/aggregates.ts';
import { type AskedBy, isClaimedBy, isKept, ownExport, ownExportStream } from '../../domain/own-data/own-export.ts';
import { OwnExportOf, type OwnExportRow } from '../../projections/own-data/own-exports.ts';
import { WritingOwnExports } from './writing-own-exports.ts';

/** Requests, ends and erases exports of users' own data. */
@Injectable()
export class OwnExports {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
    private readonly calls: ServiceCalls,
    private readonly streams: Streams,
    private readonly files: OwnExportFiles,
    private readonly writing: WritingOwnExports,
    private readonly clock: Clock,
  ) {}

  /** Throws the refusals `export_running` (conflict), `user_not_found` (missing) and `object_store_not_configured` (unavailable). */
  async request(userId: string, exportId: string, by: AskedBy): Promise<OwnExportRow> {
    this.files.requireStore();
    const { events } = await this.commands.execute(new ExecuteOwnExport(userId, { type: 'Request', exportId, by, now: this.clock.now() }));
    // Without its file, the link to the last export ends. If the removal fails, the sweep of files without an export removes the file later.
    for (const { event } of events)
      if (event.type === 'OwnExportRemoved') await this.files.removeAllOf(userId, event.exportId).catch(() => undefined);
    const row = await this.queries.execute(new OwnExportOf(userId, exportId));
    this.writing.wake();
    return row!;
  }

  /** As `request`, for an administrator. Identity refuses unknown users. */
  async requestFor(userId: string, exportId: string): Promise<OwnExportRow> {
    await this.calls.get('identity', '/user/me', { caller: { userId, groups: [], sessionId: null, kind: 'user' } });
    return this.request(userId, exportId, 'admin');
  }

  /** Ends an expired export. */
  async expire({ user_id, export_id, claim }: OwnExportRow): Promise<void> {
    await this.commands.execute(new ExecuteOwnExport(user_id, { type: 'Expire', exportId: export_id, now: this.clock.now() }));
    if (claim !== null) await this.files.remove({ userId: user_id, exportId: export_id, claim });
  }

  /** Removes an export. When this resolves, its file and its link no longer exist. A worker that is still writing it cannot complete it, and removes its file. */
  async remove(userId: string, exportId: string): Promise<void> {
    await this.commands.execute(new ExecuteOwnExport(userId, { type: 'Remove', exportId }));
    await this.files.removeAllOf(userId, exportId);
  }

  /** Removes all exports of an erased user. A worker that is still writing one cannot complete it, and removes its file. */
  async erase(userId: string): Promise<void> {
    await this.commands.execute(new ExecuteOwnExport(userId, { type: 'Erase' }));
    await this.files.removeAll(userId);
  }

  /** Whether users can download this file, or a worker may still complete it. */
  async isNeeded({ userId, exportId, claim }: OwnExportFile): Promise<boolean> {
    const state = await this.streams.load(ownExport, ownExportStream(userId));
    return isKept(state, exportId, claim) || isClaimedBy(state, exportId, claim);
  }
}
