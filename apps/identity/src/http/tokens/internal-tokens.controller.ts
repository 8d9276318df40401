import { Body, Controller, Get, HttpCode, Post } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { Config } from '@parlance/config';
import { Instant } from '@parlance/decider';
import { Clock, Streams } from '@parlance/foundation';
import { IdParam, Internal } from '@parlance/http';
import { type Sealed, Vault } from '@parlance/privacy';
import { Type } from 'class-transformer';
import { ArrayMaxSize, IsArray, IsInt, IsPositive, Length, ValidateNested } from 'class-validator';
import { ExecutePersonalTokens } from '../../commands/aggregates.ts';
import { tokenNotFound } from '../../domain/credentials/personal-tokens.ts';
import { needsSecondFactor } from '../../domain/credentials/step-up.ts';
import { groups, groupsStream, isGroup, isSameGroup } from '../../domain/groups.ts';
import { user, userStream } from '../../domain/user.ts';
import { PersonalTokenById } from '../../projections/personal-tokens.ts';
import { COPY_SECONDS, groupsName, ownerName, termsName, tokenName } from '../../projections/revocations.ts';
import { PersonalAccess, termFields } from '../../workflows/personal-access.ts';

/** The most uses that an edge reports in one call. */
export const MOST_USES = 500;

class UseBody {
  @Length(26, 26) token_id!: string;
  /** Epoch seconds. */
  @IsInt() @IsPositive() at!: number;
}

class UsesBody {
  @IsArray() @ArrayMaxSize(MOST_USES) @ValidateNested({ each: true }) @Type(() => UseBody) uses!: UseBody[];
}

/** What an edge needs to know about a token. A copy is valid for `copy_seconds` after the request, unless one of `names` is revoked before. */
interface ResolvedToken {
  readonly user_id: string;
  readonly email: string | null;
  /** The owner's current groups. */
  readonly groups: readonly string[];
  /** False while the owner may not use the token. A change of the owner ends the copy. */
  readonly usable: boolean;
  readonly password_change_required: boolean;
  readonly scopes: readonly string[];
  readonly hash: string;
  readonly expires_at: number;
  readonly allowed_ip_ranges: readonly string[];
  /** Null for a token without the scope `models`. */
  readonly call_terms: ReturnType<typeof termFields> | null;
  readonly names: readonly string[];
  readonly copy_seconds: number;
}

/** Answers what edges need in order to accept personal access tokens. Hashes of tokens are in these answers and in no public event. */
@Controller('internal/personal-tokens')
@Internal()
export class InternalTokensController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
    private readonly streams: Streams,
    private readonly access: PersonalAccess,
    private readonly vault: Vault,
    private readonly clock: Clock,
    private readonly config: Config,
  ) {}

  @Get(':tokenId')
  async find(@IdParam('tokenId') tokenId: string): Promise<ResolvedToken> {
    const row = await this.queries.execute(new PersonalTokenById(tokenId));
    if (!row) throw tokenNotFound();
    // Read from the log, because the revocation names contain the versions that the answer is based on.
    const owner = await this.streams.look(user, userStream(row.user_id));
    const made = await this.streams.look(groups, groupsStream);
    const { allowed_ip_ranges } = await this.access.open(row);
    const terms = {
      user_id: row.user_id,
      scopes: row.scopes,
      hash: row.hash,
      expires_at: row.expires_at,
      allowed_ip_ranges,
      call_terms: row.terms && termFields(row.terms),
      names: [
        tokenName(tokenId),
        ownerName(row.user_id, owner.version),
        groupsName(made.version),
        ...(row.terms ? [termsName(tokenId, row.terms_revision)] : []),
      ],
      copy_seconds: COPY_SECONDS,
    };
    const nothing = { ...terms, email: null, groups: [], usable: false, password_change_required: false };
    const { state } = owner;
    if (state.status !== 'registered' || !state.enabled || state.takeovers !== row.takeovers) return nothing;
    // This is permanent: a later group of the same name is another group.
    if (state.ownerGroup !== undefined && !isSameGroup(made.state, state.ownerGroup, state.ownerCreation)) return nothing;
    const lacksFactor = !row.is_proved && state.origin !== 'service_account';
    if (lacksFactor && needsSecondFactor(state.groups, this.config.requireSecondFactorFor)) return nothing;
    return {
      ...nothing,
      usable: true,
      email: await this.vault.open(state.email as Sealed),
      // The members of a deleted group leave it one by one, so a deleted group may still be listed here.
      groups: state.groups.filter((group) => isGroup(made.state, group)),
      password_change_required: state.mustChangePassword,
    };
  }

  @Post('uses')
  @HttpCode(204)
  async noteUses(@Body() { uses }: UsesBody): Promise<void> {
    const now = this.clock.now();
    for (const { token_id: tokenId, at } of uses) {
      const row = await this.queries.execute(new PersonalTokenById(tokenId));
      if (!row) continue;
      const used = Instant.ofSeconds(at);
      // The clock of an edge may be ahead.
      await this.commands.execute(new ExecutePersonalTokens(row.user_id, { type: 'NoteUse', tokenId, at: used > now ? now : used }));
    }
  }
}
