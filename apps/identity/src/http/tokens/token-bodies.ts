import { ChangesFields, IsIpRange, MayBeNull, TOKEN_SCOPES, type TokenScope } from '@parlance/http';
import {
  ArrayMaxSize,
  ArrayMinSize,
  ArrayUnique,
  IsArray,
  IsIn,
  IsInt,
  IsOptional,
  IsPositive,
  IsString,
  Length,
  Matches,
  Max,
  Min,
  ValidateBy,
} from 'class-validator';
import { LONGEST_CACHE_SECONDS } from '@parlance/contracts';
import type { CallTerms } from '../../domain/credentials/call-terms.ts';
import type { TokenWish } from '../../workflows/personal-access.ts';

const LONGEST_DESCRIPTION = 200;
const MOST_RANGES = 50;
/** The end of the year 9999. A greater value is probably in milliseconds. */
const LATEST_EXPIRY_SECONDS = 253_402_300_799;
/** An edge sends the terms with each call, in a header. */
const MOST_MODELS = 30;
const LONGEST_MODEL = 80;
/** Larger limits have no effect. */
const HIGHEST_RATE = 1_000_000_000;
const MOST_PARALLEL = 100_000;
const LONGEST_COST_CENTRE = 100;
const MOST_TAGS = 16;
const LONGEST_TAG = 64;

// Control characters have six bytes in JSON, so that the terms would not fit into the header.
const isTag = ([name, value]: [string, unknown]): boolean =>
  name.length >= 1 &&
  name.length <= LONGEST_TAG &&
  typeof value === 'string' &&
  value.length <= LONGEST_TAG &&
  !/\p{Cc}/u.test(name + value);

const areTags = (value: unknown): boolean =>
  typeof value === 'object' &&
  value !== null &&
  !Array.isArray(value) &&
  Object.keys(value).length <= MOST_TAGS &&
  Object.entries(value).every(isTag);

const AreTags = (): PropertyDecorator =>
  ValidateBy(
    { name: 'areTags', validator: { validate: areTags } },
    {
      message: `must be an object of at most ${MOST_TAGS} texts, whose names and values have at most ${LONGEST_TAG} characters and no control characters`,
      context: {
        schema: {
          type: 'object',
          maxProperties: MOST_TAGS,
          propertyNames: { minLength: 1, maxLength: LONGEST_TAG },
          additionalProperties: { type: 'string', maxLength: LONGEST_TAG },
          example: { project: 'search' },
        },
      },
    },
  );

/** The terms for calls of models. Only a token with the scope `models` has them. */
@ChangesFields()
export class ChangeTokenBody {
  /** IDs of models, or beginnings of IDs followed by `*`. Empty: all models. */
  @IsOptional()
  @IsArray()
  @ArrayMaxSize(MOST_MODELS)
  @ArrayUnique()
  @IsString({ each: true })
  @Length(1, LONGEST_MODEL, { each: true })
  @Matches(/^[^*]*\*?$/, { each: true, message: 'may have * at the end of a name only' })
  models?: string[];
  /** The most calls in a minute. Null removes the limit. */
  @IsOptional() @MayBeNull() @IsInt() @IsPositive() @Max(HIGHEST_RATE) requests_per_minute?: number | null;
  /** The most tokens of all calls in a minute. Null removes the limit. */
  @IsOptional() @MayBeNull() @IsInt() @IsPositive() @Max(HIGHEST_RATE) tokens_per_minute?: number | null;
  /** The most calls at the same time. Null removes the limit. */
  @IsOptional() @MayBeNull() @IsInt() @IsPositive() @Max(MOST_PARALLEL) max_parallel_requests?: number | null;
  /** Recorded with each call, so it must not be personal data. */
  @IsOptional() @MayBeNull() @IsString() @Length(1, LONGEST_COST_CENTRE) cost_centre?: string | null;
  /** How long answers may be cached, in seconds. 0: not. */
  @IsOptional() @IsInt() @Min(0) @Max(LONGEST_CACHE_SECONDS) cache_ttl_seconds?: number;
  /** Recorded with each call, so they must not be personal data. */
  @IsOptional() @AreTags() tags?: Record<string, string>;
}

export class CreateTokenBody extends ChangeTokenBody {
  @Length(1, LONGEST_DESCRIPTION) description!: string;
  @IsArray() @ArrayMinSize(1) @ArrayMaxSize(TOKEN_SCOPES.length) @ArrayUnique() @IsIn(TOKEN_SCOPES, { each: true }) scopes!: TokenScope[];
  /** Absent for the latest time that the installation allows. */
  @IsOptional() @IsInt() @IsPositive() @Max(LATEST_EXPIRY_SECONDS) expires_at?: number;
  /** Empty: addresses are limited only by the settings of the installation. */
  @IsOptional() @IsArray() @ArrayMaxSize(MOST_RANGES) @IsIpRange() allowed_ip_ranges?: string[];
}

export const wishOf = ({ description, scopes, expires_at, allowed_ip_ranges, ...body }: CreateTokenBody): TokenWish => {
  const terms = changesOf(body);
  return {
    description,
    scopes,
    ranges: allowed_ip_ranges ?? [],
    expiresAt: expires_at ?? undefined,
    terms: Object.keys(terms).length === 0 ? undefined : terms,
  };
};

export const changesOf = (body: ChangeTokenBody): Partial<CallTerms> => ({
  ...(body.models && { models: body.models }),
  ...(body.requests_per_minute !== undefined && { requestsPerMinute: body.requests_per_minute }),
  ...(body.tokens_per_minute !== undefined && { tokensPerMinute: body.tokens_per_minute }),
  ...(body.max_parallel_requests !== undefined && { maxParallelRequests: body.max_parallel_requests }),
  ...(body.cost_centre !== undefined && { costCentre: body.cost_centre }),
  ...(body.cache_ttl_seconds !== undefined && { cacheTtlSeconds: body.cache_ttl_seconds }),
  ...(body.tags && { tags: body.tags }),
});
