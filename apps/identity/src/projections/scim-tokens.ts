import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import { Instant } from '@parlance/decider';
import { projection, put, ReadModels, remove, table } from '@parlance/read-models';
import { idOf } from '@parlance/service-kit';
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
      put(scimTokenRows, idOf(stream), {
        token_id: idOf(stream),
        description,
        created_by: metadata.actor,
        create_time: Instant.toSeconds(metadata.at),
        expires_at: expiresAt === null ? null : Instant.toSeconds(expiresAt),
      }),
    ],
    ScimTokenRevoked: (_, { stream }) => [remove(scimTokenRows, idOf(stream))],
  },
});

/** By age. */
export class AllScimTokens extends Query<readonly ScimTokenRow[]> {}

const most = 1_000;

@QueryHandler(AllScimTokens)
export class FindAllScimTokens implements IQueryHandler<AllScimTokens> {
  constructor(private readonly models: ReadModels) {}

  async execute(_: AllScimTokens) {
    return (await this.models.find(scimTokenRows, { index: 'key', limit: most })).rows;
  }
}
