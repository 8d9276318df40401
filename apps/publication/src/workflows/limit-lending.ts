import { Injectable } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { Instant, Refusal, refuse } from '@parlance/decider';
import { Clock, Streams } from '@parlance/foundation';
import {
  type Bucket,
  BUCKET_USABLE_MILLIS,
  type BucketAnswer,
  type BucketCall,
  callBucket,
  endOf,
  firstDayOf,
  LimitRows,
} from '@parlance/limits';
import { ExecuteApiQuota } from '../commands/aggregates.ts';
import { apiQuota, apiQuotaStream, type QuotaCommand, type QuotaStanding, type QuotaTerms, standingOf } from '../domain/api-quota.ts';
import type { Quota, Throttle } from '../domain/publication-events.ts';
import { PublicationOf, type PublicationRow } from '../projections/publications.ts';

/** The key of a published bot. */
export interface LentKey {
  readonly keyId: string;
  readonly botId: string;
  readonly apiId: string;
}

export type QuotaCall = Pick<QuotaCommand, 'holder' | 'isFirst' | 'isLast' | 'report' | 'wish'>;

export interface LentBucket extends BucketAnswer {
  readonly usableMillis: number;
  readonly throttle: Throttle;
}

export interface LentQuota extends QuotaStanding {
  /** False if the period of the edge is over, or the edge has not reported for too long. Its share then counts as used. */
  readonly isKnown: boolean;
  /** The total that was ever lent to the edge. */
  readonly granted: number;
  readonly usableMillis: number;
  readonly resetsAt: Instant;
  readonly terms: Quota;
}

/** How long after a call an edge is expected to return unused requests. */
const EXPECTED_MILLIS = 60_000;
/** How often the terms are read again if they change meanwhile. */
const TRIES = 5;

const notPublished = () => refuse('missing', 'not_published', 'There is no published API at this address.');

/** Lends the throttle and the quota of API keys to edges, under the current terms of the publication. */
@Injectable()
export class LimitLending {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
    private readonly streams: Streams,
    private readonly rows: LimitRows,
    private readonly clock: Clock,
  ) {}

  /** Throws `not_published` (missing) and `limit_busy` (unavailable). A call may be repeated. */
  async lendThrottle(key: LentKey, call: BucketCall): Promise<LentBucket> {
    const { throttle } = await this.publication(key);
    const terms = { rate: throttle.rate_limit, burst: throttle.burst_limit };
    const answer = await this.rows.change<Bucket, BucketAnswer>(`throttle-${key.keyId}`, (bucket, now) => {
      const { bucket: row, ...others } = callBucket(bucket, terms, call, now);
      return { row, ...others };
    });
    return { ...answer, usableMillis: BUCKET_USABLE_MILLIS, throttle };
  }

  /** Null if the publication has no quota. Throws as `lendThrottle`. */
  async lendQuota(key: LentKey, call: QuotaCall): Promise<LentQuota | null> {
    for (let tries = 1; ; tries++) {
      try {
        return await this.tryToLend(key, call);
      } catch (error) {
        if (!(error instanceof Refusal && error.kind === 'stale') || tries === TRIES) throw busyIfStale(error);
      }
    }
  }

  /** The current usage of a key's quota, and when the next period begins. */
  async standing(keyId: string, row: PublicationRow, quota: Quota): Promise<QuotaStanding & { readonly resetsAt: Instant }> {
    const now = this.clock.now();
    const state = await this.streams.load(apiQuota, apiQuotaStream(keyId));
    return { ...standingOf(state, termsOf(row, quota, now), now), resetsAt: endOf(quota.period, now) };
  }

  private async tryToLend(key: LentKey, call: QuotaCall): Promise<LentQuota | null> {
    const row = await this.publication(key);
    const { quota } = row;
    if (!quota) return null;
    const now = this.clock.now();
    const terms = termsOf(row, quota, now);
    const command = { type: 'Borrow', ...call, terms, until: Instant.plus(now, EXPECTED_MILLIS) } as const;
    const { state } = await this.commands.execute(new ExecuteApiQuota(key.keyId, command));
    const share = state.shares[call.holder];
    // Another process may already be in the next period.
    const firstDay = share && state.current ? state.current.firstDay : terms.firstDay;
    const resetsAt = endOf(quota.period, Instant.parse(`${firstDay}T00:00:00Z`));
    return {
      ...standingOf(state, terms, now, call.holder),
      isKnown: share !== undefined || call.isFirst || call.isLast,
      granted: share?.granted ?? 0,
      usableMillis: resetsAt - now,
      resetsAt,
      terms: quota,
    };
  }

  private async publication({ botId, apiId }: LentKey): Promise<PublicationRow> {
    const row = await this.queries.execute(new PublicationOf(botId));
    if (row?.status !== 'succeeded' || row.api_id !== apiId) throw notPublished();
    return row;
  }
}

/** The offset is subtracted in the period in which the bot was published. */
function termsOf({ create_time, revision }: PublicationRow, { period, limit, offset }: Quota, now: Instant): QuotaTerms {
  const firstDay = firstDayOf(period, now);
  const isFirst = firstDayOf(period, Instant.ofSeconds(create_time)) === firstDay;
  return { period, firstDay, limit: isFirst ? limit - offset : limit, revision };
}

function busyIfStale(error: unknown): unknown {
  if (!(error instanceof Refusal && error.kind === 'stale')) return error;
  return refuse('unavailable', 'limit_busy', 'The terms of this API are being changed. Try again in a second.', { retry_after: 1 });
}
