import { Injectable } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { Config } from '@parlance/config';
import { Instant } from '@parlance/decider';
import { Clock, Streams } from '@parlance/foundation';
import { canonicalRange, mintPersonalToken, type TokenScope } from '@parlance/http';
import { nameSchemas } from '@parlance/openapi';
import { type Sealed, Vault } from '@parlance/privacy';
import { RevocationFeed } from '@parlance/revocation';
import { z } from 'zod';
import { ExecutePersonalTokens } from '../commands/aggregates.ts';
import { type CallTerms, NO_TERMS } from '../domain/credentials/call-terms.ts';
import { tokenNotFound } from '../domain/credentials/personal-tokens.ts';
import { isProved, requireOfEpoch, session, sessionStream } from '../domain/credentials/session.ts';
import { user, userStream } from '../domain/user.ts';
import { PersonalTokenById, type PersonalTokenRow } from '../projections/personal-tokens.ts';
import { Registration } from './registration.ts';

/** A token without its secret. */
export const PersonalToken = z.object({
  token_id: z.string(),
  user_id: z.string().describe('The user or service account that requests with the token act for.'),
  description: z.string(),
  scopes: z.array(z.string()).readonly(),
  allowed_ip_ranges: z.array(z.string()).describe('Ranges of addresses from which the token is accepted. Empty: from all.'),
  created_by: z.string().nullable(),
  create_time: z.int().describe('Time in epoch seconds.'),
  expires_at: z.int().describe('Time in epoch seconds.'),
  last_used_time: z.int().nullable().describe('Time in epoch seconds, to some fifteen minutes. Null if the token was not used.'),
  models: z
    .array(z.string())
    .readonly()
    .describe('The models that the token may call: IDs, or beginnings of IDs followed by `*`. Empty: all.'),
  requests_per_minute: z.int().nullable().describe('The most calls of models in a minute. Null: not limited.'),
  tokens_per_minute: z.int().nullable().describe('The most tokens of calls in a minute. Null: not limited.'),
  max_parallel_requests: z.int().nullable().describe('The most calls of models at the same time. Null: not limited.'),
  cost_centre: z.string().nullable().describe('The cost centre that calls of models are recorded with.'),
  cache_ttl_seconds: z.int().describe('How long answers of models may be cached. 0: not.'),
  tags: z.record(z.string(), z.string()).readonly().describe('Tags that calls of models are recorded with.'),
});
export type PersonalToken = z.infer<typeof PersonalToken>;

export const CreatedPersonalToken = PersonalToken.extend({
  token: z.string().optional().meta({ 'x-secret': true, description: 'The token. Only in the first answer.' }),
});
export type CreatedPersonalToken = z.infer<typeof CreatedPersonalToken>;

nameSchemas({ PersonalToken, CreatedPersonalToken });

export interface TokenWish {
  readonly description: string;
  readonly scopes: readonly TokenScope[];
  readonly ranges: readonly string[];
  /** Epoch seconds; undefined for the latest time that is allowed. */
  readonly expiresAt: number | undefined;
  /** Undefined if none is named. */
  readonly terms: Partial<CallTerms> | undefined;
}

const DAY_MILLIS = 86_400_000;

/** Creates and revokes personal access tokens. The caller checks who may do that. */
@Injectable()
export class PersonalAccess {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
    private readonly streams: Streams,
    private readonly registration: Registration,
    private readonly revocations: RevocationFeed,
    private readonly vault: Vault,
    private readonly clock: Clock,
    private readonly config: Config,
  ) {}

  /**
   * `sessionId`: the user's session, null for a token that an administrator creates for a service account. Throws the refusals
   * `expiry_passed`, `expiry_too_late`, `too_many_tokens`, `user_not_found`, and `invalid_token` if the session has ended meanwhile.
   */
  async make(userId: string, sessionId: string | null, tokenId: string, by: string, wish: TokenWish): Promise<CreatedPersonalToken> {
    const now = this.clock.now();
    const longestMillis = this.config.personalTokenMaxDays * DAY_MILLIS;
    const expiresAt = wish.expiresAt === undefined ? Instant.plus(now, longestMillis) : Instant.ofSeconds(wish.expiresAt);
    const scopes = [...new Set(wish.scopes)];
    const ranges = wish.ranges.map((range) => canonicalRange(range) ?? range);
    const { value, hash } = mintPersonalToken(tokenId);
    const owner = await this.streams.load(user, userStream(userId));
    const begun = sessionId === null ? null : await this.streams.load(session, sessionStream(sessionId));
    if (begun && owner.status === 'registered') requireOfEpoch(begun, owner.epoch);
    const { written } = await this.commands.execute(
      new ExecutePersonalTokens(userId, {
        type: 'Make',
        now,
        longestMillis,
        tokenId,
        description: await this.registration.seal(userId, wish.description),
        ranges: await this.registration.seal(userId, JSON.stringify(ranges)),
        hash,
        scopes,
        ...(wish.terms && { terms: { ...NO_TERMS, ...wish.terms } }),
        expiresAt,
        takeovers: owner.status === 'registered' ? owner.takeovers : 0,
        isProved: begun?.status === 'living' && isProved(begun),
      }),
    );
    const row = await this.queries.execute(new PersonalTokenById(tokenId));
    const made = row
      ? await this.open(row)
      : {
          token_id: tokenId,
          user_id: userId,
          description: wish.description,
          scopes,
          allowed_ip_ranges: ranges,
          created_by: by,
          create_time: Instant.toSeconds(now),
          expires_at: Instant.toSeconds(expiresAt),
          last_used_time: null,
          ...termFields({ ...NO_TERMS, ...wish.terms }),
        };
    // For a retry after a lost answer: the valid token is no longer known.
    return written ? { ...made, token: value } : made;
  }

  /** Every edge applies the terms when this resolves. Throws the refusals `models_scope_missing` and `token_not_found`, even for a token of another user. */
  async changeTerms(userId: string, tokenId: string, changes: Partial<CallTerms>): Promise<PersonalToken> {
    const { position } = await this.commands.execute(new ExecutePersonalTokens(userId, { type: 'ChangeTerms', tokenId, changes }));
    await this.revocations.seenByAll(position);
    const row = await this.queries.execute(new PersonalTokenById(tokenId));
    // It may have been revoked meanwhile.
    if (!row) throw tokenNotFound();
    return this.open(row);
  }

  /** No edge accepts the token when this resolves. Throws the refusal `token_not_found`, even for a token of another user. */
  async revoke(userId: string, tokenId: string): Promise<void> {
    const { position } = await this.commands.execute(new ExecutePersonalTokens(userId, { type: 'Revoke', tokenId }));
    await this.revocations.seenByAll(position);
  }

  /** Revokes a token of any user. Throws the refusal `token_not_found`. */
  async revokeOfAny(tokenId: string): Promise<void> {
    const row = await this.queries.execute(new PersonalTokenById(tokenId));
    if (!row) throw tokenNotFound();
    await this.revoke(row.user_id, tokenId);
  }

  async open({ hash: _, takeovers: __, is_proved: ___, terms, terms_revision: ____, ...row }: PersonalTokenRow): Promise<PersonalToken> {
    const [description, ranges] = await Promise.all([
      this.vault.open(row.description as Sealed),
      this.vault.open(row.allowed_ip_ranges as Sealed),
    ]);
    // The texts are null only while the erasure of the user removes the rows.
    const texts = { description: description ?? '', allowed_ip_ranges: JSON.parse(ranges ?? '[]') as string[] };
    return { ...row, ...texts, ...termFields(terms ?? NO_TERMS) };
  }
}

export const termFields = (terms: CallTerms) => ({
  models: terms.models,
  requests_per_minute: terms.requestsPerMinute,
  tokens_per_minute: terms.tokensPerMinute,
  max_parallel_requests: terms.maxParallelRequests,
  cost_centre: terms.costCentre,
  cache_ttl_seconds: terms.cacheTtlSeconds ?? 0,
  tags: terms.tags,
});
