import { ChangesFields, MayBeNull } from '@parlance/http';
import { type Period, PERIODS } from '@parlance/limits';
import { Type } from 'class-transformer';
import { ArrayMaxSize, ArrayMinSize, IsArray, IsIn, IsInt, IsNumber, IsOptional, Matches, Max, Min, ValidateNested } from 'class-validator';
import type { Quota, Terms, TermsChange } from '../../domain/publication-events.ts';
import { DEFAULT_STAGE, DEFAULT_THROTTLE } from '../../domain/terms.ts';
import { invalid } from './invalid.ts';
import { canonicalOrigin, IsOrigin } from './origin.ts';

const MOST_REQUESTS = 1_000_000_000;
const HIGHEST_RATE = 100_000;
const LEAST_RATE = 0.001;
const MOST_ORIGINS = 100;

class QuotaBody {
  @IsInt() @Min(1) @Max(MOST_REQUESTS) limit!: number;
  @IsIn(PERIODS) period!: Period;
  /** At most the limit. */
  @IsOptional() @IsInt() @Min(0) @Max(MOST_REQUESTS) offset?: number;
}

class ThrottleBody {
  @IsOptional() @IsNumber() @Min(LEAST_RATE) @Max(HIGHEST_RATE) rate_limit?: number;
  @IsOptional() @IsInt() @Min(1) @Max(HIGHEST_RATE) burst_limit?: number;
}

export class PublishBody {
  @IsOptional() @Matches(/^[A-Za-z0-9_-]{1,30}$/, { message: 'must have 1 to 30 letters, digits, - or _' }) stage?: string;
  @IsOptional() @ValidateNested() @Type(() => QuotaBody) quota?: QuotaBody;
  @IsOptional() @ValidateNested() @Type(() => ThrottleBody) throttle?: ThrottleBody;
  @IsArray() @ArrayMinSize(1) @ArrayMaxSize(MOST_ORIGINS) @IsOrigin() allowed_origins!: string[];
}

@ChangesFields()
export class ChangePublicationBody {
  /** Null removes the quota. */
  @MayBeNull() @ValidateNested() @Type(() => QuotaBody) quota?: QuotaBody | null;
  @IsOptional() @ValidateNested() @Type(() => ThrottleBody) throttle?: ThrottleBody;
  @IsOptional() @IsArray() @ArrayMinSize(1) @ArrayMaxSize(MOST_ORIGINS) @IsOrigin() allowed_origins?: string[];
}

/** Throws the refusal `invalid_body` (invalid) for an offset above the limit. */
export function publishRequestOf({ stage, quota, throttle, allowed_origins }: PublishBody): { stage: string; terms: Terms } {
  const terms = {
    quota: quotaOf(quota),
    throttle: { ...DEFAULT_THROTTLE, ...throttleOf(throttle) },
    allowedOrigins: originsOf(allowed_origins),
  };
  return { stage: stage ?? DEFAULT_STAGE, terms };
}

/** Throws as `publishRequestOf`. */
export function termsChangeOf({ quota, throttle, allowed_origins }: ChangePublicationBody): TermsChange {
  return {
    ...(quota !== undefined && { quota: quotaOf(quota) }),
    ...(throttle && { throttle: throttleOf(throttle) }),
    ...(allowed_origins && { allowedOrigins: originsOf(allowed_origins) }),
  };
}

function quotaOf(body: QuotaBody | null | undefined): Quota | null {
  if (!body) return null;
  const { limit, period } = body;
  const offset = body.offset ?? 0;
  if (offset > limit) throw invalid('quota.offset', 'must be between 0 and the limit');
  return { limit, offset, period };
}

/** Null counts as left out. */
const throttleOf = ({ rate_limit, burst_limit }: ThrottleBody = {}): NonNullable<TermsChange['throttle']> => ({
  ...(rate_limit != null && { rate_limit }),
  ...(burst_limit != null && { burst_limit }),
});

const originsOf = (origins: readonly string[]): readonly string[] => [...new Set(origins.map((origin) => canonicalOrigin(origin)!))];
