import { Injectable } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { ServiceCalls } from '@parlance/calls';
import { Clock, Streams } from '@parlance/foundation';
import { OwnExportFiles, type OwnExportPlace } from '../../adapters/own-data/own-export-files.ts';
import { ExecuteOwnExport } from '../../commands/aggregates.ts';
import { type AskedBy, isClaimedBy, isKept, ownExport, ownExportStream } from '../../domain/own-data/own-export.ts';
import { OwnExportOf, type OwnExportRow } from '../../projections/own-data/own-exports.ts';
import { WritingOwnExports } from './writing-own-exports.ts';

/** Exports of users' own data: asked for, ended and erased. */
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
    // The address of the last export ends with its file. What cannot be removed now is removed by the look at files without an export.
    for (const { event } of events)
      if (event.type === 'OwnExportRemoved') await this.files.removeAllOf(userId, event.exportId).catch(() => undefined);
    const row = await this.queries.execute(new OwnExportOf(userId, exportId));
    this.writing.wake();
    return row!;
  }

  /** As `request`, for an administrator. Identity knows which users there are. */
  async requestFor(userId: string, exportId: string): Promise<OwnExportRow> {
    await this.calls.get('identity', '/user/me', { caller: { userId, groups: [], sessionId: null, kind: 'user' } });
    return this.request(userId, exportId, 'admin');
  }

  /** An export whose time has passed. */
  async expire({ user_id, export_id, claim }: OwnExportRow): Promise<void> {
    await this.commands.execute(new ExecuteOwnExport(user_id, { type: 'Expire', exportId: export_id, now: this.clock.now() }));
    if (claim !== null) await this.files.remove({ userId: user_id, exportId: export_id, claim });
  }

  /** When this resolves, its file is gone and its address ends. A worker that is writing it may not complete it, and removes its file. */
  async remove(userId: string, exportId: string): Promise<void> {
    await this.commands.execute(new ExecuteOwnExport(userId, { type: 'Remove', exportId }));
    await this.files.removeAllOf(userId, exportId);
  }

  /** All exports of an erased user. A worker that is writing one finds that it may not complete it, and removes its file. */
  async erase(userId: string): Promise<void> {
    await this.commands.execute(new ExecuteOwnExport(userId, { type: 'Erase' }));
    await this.files.removeAll(userId);
  }

  /** Whether users may fetch this file, or a worker may still complete it. */
  async isNeeded({ userId, exportId, claim }: OwnExportPlace): Promise<boolean> {
    const state = await this.streams.load(ownExport, ownExportStream(userId));
    return isKept(state, exportId, claim) || isClaimedBy(state, exportId, claim);
  }
}
