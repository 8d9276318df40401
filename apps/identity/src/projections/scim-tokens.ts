import { Instant } from '@parlance/decider';
import { idInStream } from '@parlance/event-store';
import { projection, put, remove, table } from '@parlance/read-models';
import { nameSchemas } from '@parlance/openapi';
import { z } from 'zod';
import { query } from '../bus.ts';
import type { IdentityEvent } from '../domain/events.ts';

/** A provisioning token that is not revoked, without its secret. */
export const ScimTokenRow = z.object({
  token_id: z.string(),
  description: z.string(),
  created_by: z.string().nullable(),
  create_time: z.int().describe('Time in epoch seconds.'),
  expires_at: z.int().nullable().describe('Time in epoch seconds.'),
});
export type ScimTokenRow = z.infer<typeof ScimTokenRow>;

nameSchemas({ ScimToken: ScimTokenRow });

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

const MOST_TOKENS_LISTED = 1_000;

/** Oldest first. */
export const AllScimTokens = query('AllScimTokens', async (models): Promise<readonly ScimTokenRow[]> => {
  return (await models.find(scimTokenRows, { index: 'key', limit: MOST_TOKENS_LISTED })).rows;
});
