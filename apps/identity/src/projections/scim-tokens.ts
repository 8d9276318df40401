import { Instant } from '@parlance/decider';
import { idInStream } from '@parlance/event-store';
import { query } from '@parlance/foundation';
import { projection, put, remove, table } from '@parlance/read-models';
import type { IdentityEvent } from '../domain/events.ts';

/** A provisioning token that lives, without its secret. */
export interface ScimTokenRow {
  token_id: string;
  description: string;
  created_by: string | null;
  create_time: number;
  expires_at: number | null;
}

export const scimTokenRows = table<ScimTokenRow>('scim_tokens');

export const scimTokens = projection<IdentityEvent>({
  name: 'scim-tokens',
  version: 1,
  tables: [scimTokenRows],
  on: {
    ScimTokenMade: ({ description, expiresAt }, { stream, metadata }) => [
      put(scimTokenRows, idInStream(stream), {
        token_id: idInStream(stream),
        description,
        created_by: metadata.actor,
        create_time: Instant.toSeconds(metadata.at),
        expires_at: expiresAt === null ? null : Instant.toSeconds(expiresAt),
      }),
    ],
    ScimTokenRevoked: (_, { stream }) => [remove(scimTokenRows, idInStream(stream))],
  },
});

const most = 1_000;

/** By age. */
export const AllScimTokens = query('AllScimTokens', async (models): Promise<readonly ScimTokenRow[]> => {
  return (await models.find(scimTokenRows, { index: 'key', limit: most })).rows;
});
