import type { QueryBus } from '@nestjs/cqrs';
import { Instant } from '@parlance/decider';
import { Tampered } from '@parlance/privacy';
import { type GatewayFileRow, GatewayFilesOf } from '../../projections/gateway/gateway-files.ts';
import type { ArchiveEntry } from '../../adapters/own-data/archive.ts';
import type { StoredFiles } from '../gateway/stored-files.ts';
import type { LeftOutList } from './left-out.ts';

const FILES_AT_ONCE = 100;
/** Bytes of one file. An entry of an archive has less than 4 GiB, also after compression. */
const MOST_BYTES = 4_000_000_000;

type CheckIn = () => Promise<void>;
type Stored = Pick<StoredFiles, 'nameOf' | 'open'>;

class FileGone extends Error {}

interface Sources {
  readonly queries: QueryBus;
  readonly stored: Stored;
  readonly leftOut: LeftOutList;
  /** Called before each part of a file, and throws to stop. */
  readonly checkIn: CheckIn;
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
      const fault = name === null ? 'file_not_found' : await faultOf(row, stored, checkIn);
      if (fault !== null) {
        leftOut.add('file', row.file_id, fault);
        continue;
      }
      yield { path: `call-files/${row.file_id}.jsonl`, compress: true, parts: partsOf(row, stored, checkIn) };
      listed.push({
        file_id: row.file_id,
        filename: name,
        purpose: row.purpose,
        bytes: row.bytes,
        create_time: Instant.toSeconds(row.at),
      });
    }
    after = rows.length > FILES_AT_ONCE ? page.at(-1)!.file_id : null;
  } while (after !== null);
  yield { path: 'call-files.json', compress: true, parts: [`${JSON.stringify(listed, null, 2)}\n`] };
}

/** Reads the whole file once before its entry begins, because an entry that breaks off ends the whole archive. Null if it can be read. */
async function faultOf(row: GatewayFileRow, stored: Stored, checkIn: CheckIn): Promise<string | null> {
  if (row.bytes > MOST_BYTES) return 'file_too_large';
  try {
    for await (const _ of partsOf(row, stored, checkIn));
    return null;
  } catch (error) {
    if (error instanceof FileGone) return 'file_not_found';
    if (error instanceof Tampered) return 'file_damaged';
    throw error;
  }
}

async function* partsOf(row: GatewayFileRow, stored: Stored, checkIn: CheckIn): AsyncGenerator<Buffer> {
  const body = await stored.open(row);
  if (!body) throw new FileGone('a stored file was removed while an export was written');
  for await (const part of body) {
    await checkIn();
    yield part as Buffer;
  }
}
