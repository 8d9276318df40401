import { Injectable } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { Clock, PagedRounds } from '@parlance/foundation';
import type { Cursor } from '@parlance/read-models';
import { GatewayFileStore, type StoredGatewayFile } from '../adapters/gateway/gateway-file-store.ts';
import { GatewayFilesExpiredAt, type GatewayFileRow } from '../projections/gateway/gateway-files.ts';
import { StoredFiles } from '../workflows/gateway/stored-files.ts';

/** A newer file may belong to an upload that is being accepted. Requests end much sooner than this. */
const GRACE_MILLIS = 3_600_000;

/** Removes expired files of programs, and bytes whose upload or removal was interrupted. */
@Injectable()
export class RemoveFilesOfCallsWhenTheyExpire {
  private readonly expired = new PagedRounds<GatewayFileRow, Cursor>('files of calls could not be removed', ({ file_id }) => file_id);
  private readonly sweeps = new PagedRounds<StoredGatewayFile, string>('files of calls could not be checked', ({ key }) => key);

  constructor(
    private readonly queries: QueryBus,
    private readonly stored: StoredFiles,
    private readonly files: GatewayFileStore,
    private readonly clock: Clock,
  ) {}

  async remove(): Promise<void> {
    await this.expired.run(
      (after) => this.queries.execute(new GatewayFilesExpiredAt(this.clock.now(), after)),
      (row) => this.stored.expire(row),
    );
  }

  /** Checks the next page of files, and after the last one starts again. The user's stream shows whether a file is needed. */
  async sweep(): Promise<void> {
    const before = this.clock.now() - GRACE_MILLIS;
    await this.sweeps.run(
      async (after) => {
        const rows = await this.files.stored(after);
        return { rows, next: rows.at(-1)?.key ?? null };
      },
      async (file) => {
        if (file.modified.getTime() >= before || (await this.stored.isNeeded(file))) return;
        await this.files.remove(file.userId, file.fileId);
      },
    );
  }
}
