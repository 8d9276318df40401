import { Body, Controller, HttpCode, Post } from '@nestjs/common';
import { Instant } from '@parlance/decider';
import { IdParam, Internal, IsUlid } from '@parlance/http';
import { Type } from 'class-transformer';
import { IsBoolean, IsInt, IsOptional, Length, Max, Min, ValidateNested } from 'class-validator';
import { type LentBucket, type LentQuota, LimitLending } from '../workflows/limit-lending.ts';

const MOST = Number.MAX_SAFE_INTEGER;
/** The most requests that an edge may ask for at once. */
const MOST_WANTED = 1_000_000;

class ShareBody {
  @IsInt() @Min(0) @Max(MOST) used!: number;
  @IsInt() @Min(0) @Max(MOST) returned!: number;
  @IsInt() @Min(0) @Max(MOST_WANTED) needed!: number;
  @IsInt() @Min(0) @Max(MOST_WANTED) wanted!: number;
}

class HolderBody {
  @Length(1, 64) holder!: string;
  @IsBoolean() is_first!: boolean;
  @IsBoolean() is_last!: boolean;
}

class ThrottleCallBody extends HolderBody {
  @ValidateNested() @Type(() => ShareBody) tokens!: ShareBody;
  @ValidateNested() @Type(() => ShareBody) places!: ShareBody;
}

class QuotaCallBody extends HolderBody {
  @ValidateNested() @Type(() => ShareBody) requests!: ShareBody;
}

class LimitCallBody {
  @IsUlid() bot_id!: string;
  @Length(1, 64) api_id!: string;
  @IsOptional() @ValidateNested() @Type(() => ThrottleCallBody) throttle?: ThrottleCallBody;
  @IsOptional() @ValidateNested() @Type(() => QuotaCallBody) quota?: QuotaCallBody;
}

/** Lends edges the throttle and the quota of a key in one call, and takes back what they do not need. A call may be repeated. */
@Controller('internal/api-limits')
@Internal()
export class InternalLimitsController {
  constructor(private readonly lending: LimitLending) {}

  @Post(':keyId')
  @HttpCode(200)
  async borrow(@IdParam('keyId') keyId: string, @Body() { bot_id, api_id, throttle, quota }: LimitCallBody) {
    const key = { keyId, botId: bot_id, apiId: api_id };
    const bucket = throttle && { ...holderOf(throttle), tokens: throttle.tokens, places: throttle.places };
    const share = quota && { ...holderOf(quota), report: reportOf(quota.requests), wish: wishOf(quota.requests) };
    return {
      throttle: bucket ? throttleAnswer(await this.lending.lendThrottle(key, bucket)) : null,
      quota: share ? quotaAnswer(await this.lending.lendQuota(key, share)) : null,
    };
  }
}

const holderOf = ({ holder, is_first, is_last }: HolderBody) => ({ holder, isFirst: is_first, isLast: is_last });
const reportOf = ({ used, returned }: ShareBody) => ({ used, returned });
const wishOf = ({ needed, wanted }: ShareBody) => ({ needed, wanted });

const throttleAnswer = ({ isKnown, tokens, places, level, emptyMillis, usableMillis, throttle }: LentBucket) => ({
  is_known: isKnown,
  tokens,
  places,
  level,
  empty_millis: emptyMillis,
  usable_millis: usableMillis,
  terms: throttle,
});

/** Null if the publication has no quota. */
const quotaAnswer = (lent: LentQuota | null) =>
  lent && {
    is_known: lent.isKnown,
    granted: lent.granted,
    limit: lent.limit,
    left: lent.left,
    elsewhere: lent.elsewhere,
    usable_millis: lent.usableMillis,
    resets_at: Instant.toSeconds(lent.resetsAt),
    terms: lent.terms,
  };
