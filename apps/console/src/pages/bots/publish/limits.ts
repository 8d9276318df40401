import type { ChangePublicationBody, Publication } from '@parlance/client/types';
import { linesOf } from '../editor/lines.ts';

type Period = NonNullable<Publication['quota']>['period'];

/** The fields of the limits of a publication. */
export interface Limits {
  readonly origins: string;
  readonly hasQuota: boolean;
  readonly limit: number;
  readonly offset: number;
  readonly period: Period;
  readonly rate: number;
  readonly burst: number;
}

/** The rate and the burst are the server's defaults. */
export const NEW_LIMITS: Limits = { origins: '', hasQuota: false, limit: 1_000, offset: 0, period: 'DAY', rate: 50, burst: 100 };

export function limitsOf({ allowed_origins: origins, quota, throttle }: Publication): Limits {
  return {
    origins: origins.join('\n'),
    hasQuota: quota !== null,
    limit: quota?.limit ?? NEW_LIMITS.limit,
    offset: quota?.offset ?? NEW_LIMITS.offset,
    period: quota?.period ?? NEW_LIMITS.period,
    rate: throttle?.rate_limit ?? NEW_LIMITS.rate,
    burst: throttle?.burst_limit ?? NEW_LIMITS.burst,
  };
}

export function bodyOf({ origins, hasQuota, limit, offset, period, rate, burst }: Limits) {
  return {
    allowed_origins: linesOf(origins),
    quota: hasQuota ? { limit, offset, period } : null,
    throttle: { rate_limit: rate, burst_limit: burst },
  } satisfies ChangePublicationBody;
}
