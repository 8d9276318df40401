import { Injectable } from '@nestjs/common';
import { Instant, refuse } from '@parlance/decider';
import { type Caller, issuedTo } from '@parlance/http';
import { nameSchemas } from '@parlance/openapi';
import { z } from 'zod';
import { OwnExportFiles } from '../../adapters/own-data/own-export-files.ts';
import type { OwnExportRow } from '../../projections/own-data/own-exports.ts';

export const OwnExport = z.object({
  export_id: z.string(),
  user_id: z.string().describe('The user whose data is exported.'),
  status: z.enum(['waiting', 'writing', 'ready', 'failed']).describe('`failed`: the export could not be written. Request another one.'),
  requested_by: z.enum(['user', 'admin']),
  create_time: z.int().describe('When the export was requested, in epoch seconds.'),
  conversations: z.int().describe('Conversations written so far.'),
  total_conversations: z.int().nullable().describe('All conversations. Null until they are counted.'),
  bytes: z.int().nullable().describe('Size of the file. Null until it is ready.'),
  ready_time: z.int().nullable().describe('When the export became ready or failed, in epoch seconds.'),
  expires_at: z.int().nullable().describe('When the file is removed and its URL expires at the latest, in epoch seconds.'),
});
export type OwnExport = z.infer<typeof OwnExport>;

export const FetchedOwnExport = OwnExport.extend({
  url: z.string().nullable().meta({
    description:
      'URL of the ZIP for a download without credentials. Null until it is ready. Anyone with this URL can read the data until the session of this request or the export ends. Then it answers 403 `address_revoked` or `address_expired`. It may redirect to the object store.',
    example: 'https://chat.example.org/files/own-exports/01K0000000000000000000000A/01K0.01K1.zip?expires=1795600000&signature=5f2d',
  }),
});
export type FetchedOwnExport = z.infer<typeof FetchedOwnExport>;

nameSchemas({ OwnExport, FetchedOwnExport });

export const exportNotFound = () =>
  refuse('missing', 'export_not_found', 'There is no such export, or its file was removed. Request another one.');

export const ownExportAnswer = (row: OwnExportRow): OwnExport => ({
  export_id: row.export_id,
  user_id: row.user_id,
  status: row.status,
  requested_by: row.requested_by,
  create_time: Instant.toSeconds(row.requested_at),
  conversations: row.conversations,
  total_conversations: row.total,
  bytes: row.bytes,
  ready_time: row.ended_at === null ? null : Instant.toSeconds(row.ended_at),
  expires_at: row.expires_at === null ? null : Instant.toSeconds(row.expires_at),
});

/** Answers that include the URL of the file. Only the user gets them. */
@Injectable()
export class FetchedOwnExports {
  constructor(private readonly files: OwnExportFiles) {}

  /** Throws the refusal `export_not_found` (missing) if there is none. */
  async answer(row: OwnExportRow | null, caller: Caller, now: Instant): Promise<FetchedOwnExport> {
    if (!row || (row.expires_at !== null && row.expires_at <= now)) throw exportNotFound();
    const { user_id: userId, export_id: exportId, claim, requested_at, expires_at } = row;
    if (claim === null || expires_at === null) return { ...ownExportAnswer(row), url: null };
    const fileName = `parlance-${Instant.toString(requested_at).slice(0, 10)}.zip`;
    const grant = { expiresAt: new Date(expires_at), issuedTo: issuedTo(caller), fileName };
    const url = await this.files.address({ userId, exportId, claim }, grant);
    return { ...ownExportAnswer(row), url };
  }
}
