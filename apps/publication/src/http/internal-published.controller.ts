import { Controller, Get, Param } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { refuse } from '@parlance/decider';
import { IdParam, Internal } from '@parlance/http';
import { keyNotFound } from '../domain/api-keys.ts';
import type { Quota, Throttle } from '../domain/publication-events.ts';
import { ApiKeyOf } from '../projections/api-keys.ts';
import { PublicationByApi, type PublicationRow } from '../projections/publications.ts';
import { COPY_SECONDS, keyRevision, publicationRevision } from '../projections/revocations.ts';

/** A copy is valid for `copy_seconds` after the request, unless `revision` is revoked before. */
interface Copied {
  readonly revision: string;
  readonly copy_seconds: number;
}

export interface PublishedApi extends Copied {
  readonly api_id: string;
  readonly bot_id: string;
  /** While identity has revoked this user (`user:<id>`), the API serves nothing. */
  readonly owner_user_id: string;
  readonly stage: string;
  readonly quota: Quota | null;
  readonly throttle: Throttle;
  readonly allowed_origins: readonly string[];
}

interface PublishedKey extends Copied {
  readonly key_id: string;
  /** SHA-256 of the whole value, in hexadecimal. */
  readonly hash: string;
  readonly enabled: boolean;
  readonly expires_at: number | null;
  readonly allowed_ip_ranges: readonly string[];
}

/** Answers what edges need to serve published APIs. These answers contain the hashes of keys. Public events do not, because webhooks receive them. */
@Controller('internal/published')
@Internal()
export class InternalPublishedController {
  constructor(private readonly queries: QueryBus) {}

  /** Only for a publication that has succeeded. */
  @Get(':apiId')
  async api(@Param('apiId') apiId: string): Promise<PublishedApi> {
    return publishedApi(await this.published(apiId));
  }

  @Get(':apiId/keys/:keyId')
  async key(@Param('apiId') apiId: string, @IdParam('keyId') keyId: string): Promise<PublishedKey> {
    const { bot_id } = await this.published(apiId);
    const row = await this.queries.execute(new ApiKeyOf(bot_id, keyId));
    if (!row) throw keyNotFound();
    const { hash, enabled, expires_at, allowed_ip_ranges, revision } = row;
    return {
      key_id: keyId,
      hash,
      enabled,
      expires_at,
      allowed_ip_ranges,
      revision: keyRevision(keyId, revision),
      copy_seconds: COPY_SECONDS,
    };
  }

  private async published(apiId: string): Promise<PublicationRow> {
    const row = await this.queries.execute(new PublicationByApi(apiId));
    if (row?.status !== 'succeeded') throw refuse('missing', 'not_published', 'There is no published API at this address.');
    return row;
  }
}

export function publishedApi(row: PublicationRow): PublishedApi {
  const { api_id, bot_id, number, revision, stage, owner_user_id, quota, throttle, allowed_origins } = row;
  const copied = { revision: publicationRevision(bot_id, number, revision), copy_seconds: COPY_SECONDS };
  return { api_id, bot_id, owner_user_id, stage, quota, throttle, allowed_origins, ...copied };
}
