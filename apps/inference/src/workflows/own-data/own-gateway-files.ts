import type { QueryBus } from '@nestjs/cqrs';
import { Instant } from '@parlance/decider';
import { type GatewayFileRow, GatewayFilesOf } from '../../projections/gateway/gateway-files.ts';
import type { ArchiveEntry } from '../../adapters/own-data/archive.ts';
import type { StoredFiles } from '../gateway/stored-files.ts';
import type { LeftOutList } from './left-out.ts';

const FILES_AT_ONCE = 100;

interface Sources {
  readonly queries: QueryBus;
  readonly stored: StoredFiles;
  readonly leftOut: LeftOutList;
  /** Called before each file, and throws to stop. */
  readonly checkIn: () => Promise<void>;
}

/** The files that a user's programs have stored, and a list of them. */
export async function* ownGatewayFiles(userId: string, { queries, stored, leftOut, checkIn }: Sources): AsyncGenerator<ArchiveEntry> {
  const listed: object[] = [];
  let after: string | null = null;
  do {
    const listing = { purpose: null, order: 'asc', limit: FILES_AT_ONCE, after } as const;
    const rows: readonly GatewayFileRow[] = await queries.execute(new GatewayFilesOf(userId, listing));
    const page = rows.slice(0, FILES_AT_ONCE);
    for (const row of page) {
      await checkIn();
      const name = await stored.nameOf(row);
      const body = name === null ? null : await stored.open(row);
      if (body) {
        yield { path: `call-files/${row.file_id}.jsonl`, compress: true, parts: body };
        listed.push({
          file_id: row.file_id,
          filename: name,
          purpose: row.purpose,
          bytes: row.bytes,
          create_time: Instant.toSeconds(row.at),
        });
      } else leftOut.add('file', row.file_id, 'file_not_found');
    }
    after = rows.length > FILES_AT_ONCE ? page.at(-1)!.file_id : null;
  } while (after !== null);
  yield { path: 'call-files.json', compress: true, parts: [`${JSON.stringify(listed, null, 2)}\n`] };
}
