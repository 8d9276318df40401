import { Body, Controller, Delete, Get, Headers, HttpCode, Patch, Post, Query, Res } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { Instant } from '@parlance/decider';
import { canonicalRange, Audited, Caller, etagOf, FreshId, IdParam, Needs, PageQuery, PageTokens, requireMatch } from '@parlance/http';
import { Answers, nameSchemas, Refuses, Summary } from '@parlance/openapi';
import { type Sealed, Vault } from '@parlance/privacy';
import type { FastifyReply } from 'fastify';
import { z } from 'zod';
import { keyNotFound } from '../domain/api-keys.ts';
import { ApiKeyOf, type ApiKeyRow, ApiKeysOf } from '../projections/api-keys.ts';
import { ApiKeys, type KeyAsRead } from '../workflows/api-keys.ts';
import { ApiKey, apiKeyAnswer, CreatedApiKey } from './answers.ts';
import { ChangeApiKeyBody, CreateApiKeyBody } from './bodies/api-key-bodies.ts';
import { VisiblePublications } from './visible-publications.ts';

const ApiKeyPage = z.object({ api_keys: z.array(ApiKey), next_token: z.string().nullable() });

nameSchemas({ ApiKeyPage });

/** The API keys of a published bot, for its owner and administrators. */
@Controller('bot/:botId/publication/api-key')
@Needs('PublishAllowed')
export class ApiKeyController {
  constructor(
    private readonly queries: QueryBus,
    private readonly visible: VisiblePublications,
    private readonly keys: ApiKeys,
    private readonly tokens: PageTokens,
    private readonly vault: Vault,
  ) {}

  @Post()
  @Audited('create_api_key', 'bot', 'botId')
  @Summary('Create an API key of a published bot. Only this answer has the whole value.')
  @Answers(201, CreatedApiKey)
  @Refuses('expiry_passed', 400)
  @Refuses('bot_not_found', 404)
  @Refuses('not_published', 404)
  @Refuses('publication_not_succeeded', 409)
  @Refuses('too_many_api_keys', 409)
  async create(
    @Caller() caller: Caller,
    @IdParam('botId') botId: string,
    @FreshId() keyId: string,
    @Body() { description, expires_at, allowed_ip_ranges = [] }: CreateApiKeyBody,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<z.infer<typeof CreatedApiKey>> {
    const { owner_user_id: ownerUserId } = await this.visible.find(caller, botId);
    const expiresAt = expires_at === undefined || expires_at === null ? null : Instant.ofSeconds(expires_at);
    const allowedIpRanges = [...new Set((allowed_ip_ranges ?? []).map((range) => canonicalRange(range)!))];
    const key = { keyId, description, expiresAt, allowedIpRanges };
    const value = await this.keys.create({ botId, ownerUserId, by: caller.userId }, key);
    const answer = await this.tagged(await this.rowOf(botId, keyId), reply);
    // A repeated request does not get the value again, because it is not stored.
    return value === null ? answer : { ...answer, value };
  }

  @Get()
  @Audited('view_publication', 'bot', 'botId')
  @Summary('List the API keys of a published bot, the oldest first, with masked values.')
  @Answers(200, ApiKeyPage)
  @Refuses('invalid_next_token', 400)
  @Refuses('bot_not_found', 404)
  @Refuses('not_published', 404)
  async list(
    @Caller() caller: Caller,
    @IdParam('botId') botId: string,
    @Query() { limit, next_token }: PageQuery,
  ): Promise<z.infer<typeof ApiKeyPage>> {
    await this.visible.recordRead(caller, await this.visible.find(caller, botId));
    const listId = { list: 'api-keys', botId };
    const after = next_token === undefined ? null : this.tokens.open<string>(listId, next_token);
    const { rows, more } = await this.queries.execute(new ApiKeysOf(botId, after, limit));
    const api_keys = await Promise.all(rows.map((row) => this.answer(row)));
    return { api_keys, next_token: more ? this.tokens.seal(listId, rows.at(-1)!.id) : null };
  }

  @Get(':keyId')
  @Audited('view_publication', 'bot', 'botId')
  @Summary('Get an API key of a published bot, with a masked value.')
  @Answers(200, ApiKey)
  @Refuses('api_key_not_found', 404)
  @Refuses('bot_not_found', 404)
  @Refuses('not_published', 404)
  async find(
    @Caller() caller: Caller,
    @IdParam('botId') botId: string,
    @IdParam('keyId') keyId: string,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<ApiKey> {
    const row = await this.visible.find(caller, botId);
    const key = await this.rowOf(botId, keyId);
    await this.visible.recordRead(caller, row);
    return this.tagged(key, reply);
  }

  @Patch(':keyId')
  @Audited('change_api_key', 'bot', 'botId')
  @Summary('Enable or disable an API key, or change its description or its expiry. The change applies by the time the answer arrives.')
  @Answers(200, ApiKey)
  @Refuses('expiry_passed', 400)
  @Refuses('api_key_not_found', 404)
  @Refuses('bot_not_found', 404)
  @Refuses('not_published', 404)
  @Refuses('publication_not_succeeded', 409)
  async change(
    @Caller() caller: Caller,
    @IdParam('botId') botId: string,
    @IdParam('keyId') keyId: string,
    @Body() { description, enabled, expires_at }: ChangeApiKeyBody,
    @Res({ passthrough: true }) reply: FastifyReply,
    @Headers('if-match') ifMatch?: string,
  ): Promise<ApiKey> {
    const { owner_user_id: ownerUserId } = await this.visible.find(caller, botId);
    await this.keys.change({ botId, ownerUserId, by: caller.userId }, await this.asRead(botId, keyId, ifMatch), {
      ...(description != null && { description }),
      ...(enabled != null && { enabled }),
      ...(expires_at !== undefined && { expiresAt: expires_at === null ? null : Instant.ofSeconds(expires_at) }),
    });
    return this.tagged(await this.rowOf(botId, keyId), reply);
  }

  @Delete(':keyId')
  @HttpCode(204)
  @Audited('revoke_api_key', 'bot', 'botId')
  @Summary('Revoke an API key. It is no longer accepted by the time the answer arrives.')
  @Answers(204)
  @Refuses('api_key_not_found', 404)
  @Refuses('bot_not_found', 404)
  @Refuses('not_published', 404)
  @Refuses('publication_not_succeeded', 409)
  async revoke(
    @Caller() caller: Caller,
    @IdParam('botId') botId: string,
    @IdParam('keyId') keyId: string,
    @Headers('if-match') ifMatch?: string,
  ): Promise<void> {
    const { owner_user_id: ownerUserId } = await this.visible.find(caller, botId);
    await this.keys.revoke({ botId, ownerUserId, by: caller.userId }, await this.asRead(botId, keyId, ifMatch));
  }

  /** Throws the refusal `api_key_not_found`. */
  private async rowOf(botId: string, keyId: string): Promise<ApiKeyRow> {
    const row = await this.queries.execute(new ApiKeyOf(botId, keyId));
    if (!row) throw keyNotFound();
    return row;
  }

  /**
   * The revision that the client has read. The stream decides again whether it is current. Throws `invalid_if_match`, `version_stale` and
   * `api_key_not_found`.
   */
  private async asRead(botId: string, keyId: string, ifMatch: string | undefined): Promise<KeyAsRead> {
    if (ifMatch === undefined || ifMatch.trim() === '*') return { keyId };
    const { revision } = await this.rowOf(botId, keyId);
    requireMatch(ifMatch, revision);
    return { keyId, revision };
  }

  private tagged(row: ApiKeyRow, reply: FastifyReply): Promise<ApiKey> {
    reply.header('etag', etagOf(row.revision));
    return this.answer(row);
  }

  /** The description is empty if the owner is being erased. */
  private async answer(row: ApiKeyRow): Promise<ApiKey> {
    return apiKeyAnswer(row, (await this.vault.openOften(row.description as Sealed)) ?? '');
  }
}
