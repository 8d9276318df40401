import { Instant } from '@parlance/decider';
import { idInStream } from '@parlance/event-store';
import { type At, projection, put, remove, table, update } from '@parlance/read-models';
import { query } from '../bus.ts';
import type { KeyUseEvent } from '../domain/key-use.ts';
import type { PublicationEvent } from '../domain/publication-events.ts';

export interface ApiKeyRow {
  id: string;
  bot_id: string;
  /** Sealed. */
  description: string;
  hash: string;
  ending: string;
  enabled: boolean;
  created_date: number;
  /** Epoch seconds. */
  expires_at: number | null;
  allowed_ip_ranges: readonly string[];
  /** Epoch seconds; null before the first use. */
  last_used_date: number | null;
  /** Counts the changes of the key. */
  revision: number;
}

const apiKeyRows = table<ApiKeyRow>('api_keys', { byBot: ['bot_id', 'id'] });

const secondsOf = (at: Instant | null): number | null => (at === null ? null : Instant.toSeconds(at));

const removed = ({ keyIds }: { readonly keyIds: readonly string[] }) => keyIds.map((id) => remove(apiKeyRows, id));

const usedAt = ({ at }: KeyUseEvent, { stream }: At) => [
  update(apiKeyRows, idInStream(stream), (row) => {
    const seconds = Instant.toSeconds(at);
    return row && { ...row, last_used_date: Math.max(row.last_used_date ?? 0, seconds) };
  }),
];

/** The keys that are not revoked. */
export const apiKeys = projection<PublicationEvent | KeyUseEvent>({
  name: 'api-keys',
  version: 2,
  tables: [apiKeyRows],
  on: {
    ApiKeyCreated: ({ keyId, description, hash, ending, expiresAt, allowedIpRanges }, { stream, metadata }) => [
      put(apiKeyRows, keyId, {
        id: keyId,
        bot_id: idInStream(stream),
        description,
        hash,
        ending,
        enabled: true,
        created_date: Instant.toSeconds(metadata.at),
        expires_at: secondsOf(expiresAt),
        allowed_ip_ranges: allowedIpRanges,
        last_used_date: null,
        revision: 1,
      }),
    ],
    ApiKeyChanged: ({ keyId, change, enabled, expiresAt, revision }) => [
      update(
        apiKeyRows,
        keyId,
        (row) => row && { ...row, description: change.description ?? row.description, enabled, expires_at: secondsOf(expiresAt), revision },
      ),
    ],
    ApiKeyUsed: usedAt,
    ApiUsageRecorded: usedAt,
    ApiKeyRevoked: ({ keyId }) => [remove(apiKeyRows, keyId)],
    PublicationRemovalBegun: removed,
    PublicationRemoved: removed,
  },
});

/** Null if the key is revoked, or belongs to another bot. */
export const ApiKeyOf = query('ApiKeyOf', async (models, botId: string, keyId: string): Promise<ApiKeyRow | null> => {
  const row = await models.get(apiKeyRows, keyId);
  return row?.bot_id === botId ? row : null;
});

/** The keys of a bot after a given key, oldest first. */
export const ApiKeysOf = query(
  'ApiKeysOf',
  async (models, botId: string, after: string | null, limit: number): Promise<{ rows: readonly ApiKeyRow[]; more: boolean }> => {
    const cursor = after === null ? {} : { after: [botId, after, after] };
    const { rows } = await models.find(apiKeyRows, { index: 'byBot', where: { bot_id: botId }, limit: limit + 1, ...cursor });
    return { rows: rows.slice(0, limit), more: rows.length > limit };
  },
);

/** The keys with these IDs that are not revoked. */
export const ApiKeysWithIds = query('ApiKeysWithIds', async (models, ids: readonly string[]): Promise<readonly ApiKeyRow[]> => {
  const rows = await models.getMany(apiKeyRows, ids);
  return ids.flatMap((id) => rows.get(id) ?? []);
});
