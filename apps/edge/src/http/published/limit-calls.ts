import { Injectable } from '@nestjs/common';
import { HARMLESS, ServiceCalls } from '@parlance/calls';
import { RequestContext } from '@parlance/observability';
import type { LimitedKey } from './api-limits.ts';

/** An edge's report about a share, and how much it wants to borrow. The numbers under one `holder` ID only grow. */
export interface ShareCall {
  readonly used: number;
  readonly returned: number;
  readonly needed: number;
  readonly wanted: number;
}

interface BorrowerCall {
  readonly holder: string;
  readonly is_first: boolean;
  readonly is_last: boolean;
}

export interface ThrottleCall extends BorrowerCall {
  readonly tokens: ShareCall;
  readonly places: ShareCall;
}

export interface QuotaCall extends BorrowerCall {
  readonly requests: ShareCall;
}

export interface ThrottleLent {
  /** False if the lease has ended. */
  readonly is_known: boolean;
  readonly tokens: number;
  readonly places: number;
  readonly level: number;
  readonly empty_millis: number;
  readonly usable_millis: number;
  readonly terms: LimitedKey['throttle'];
}

export interface QuotaLent {
  readonly is_known: boolean;
  readonly granted: number;
  /** Requests in this period. */
  readonly limit: number;
  readonly left: number;
  /** The requests that other edges may return. */
  readonly elsewhere: number;
  readonly usable_millis: number;
  /** Epoch seconds. */
  readonly resets_at: number;
  readonly terms: NonNullable<LimitedKey['quota']>;
}

export interface LimitCall {
  readonly throttle?: ThrottleCall;
  readonly quota?: QuotaCall;
}

export interface Lent {
  readonly throttle: ThrottleLent | null;
  /** Null if the quota was not requested, or if the publication has none now. */
  readonly quota: QuotaLent | null;
}

export type KeyReference = Pick<LimitedKey, 'keyId' | 'botId' | 'apiId'>;

/** Requests with one key in one hour, by the class of their status. */
export interface UsageReport {
  readonly key_id: string;
  readonly api_id: string;
  readonly number: number;
  /** Time of the last request, in epoch seconds. */
  readonly time: number;
  readonly counts: Readonly<Record<string, number>>;
}

/** The calls of an edge's limits to the publication service. Both may be repeated, and throw the refusals of that service. */
export abstract class LimitCalls {
  abstract borrow(key: KeyReference, call: LimitCall): Promise<Lent>;
  abstract report(holder: string, reports: readonly UsageReport[]): Promise<void>;
}

/** A share serves the requests of many callers, so the edge makes these calls on its own behalf. */
@Injectable()
export class PublicationLimitCalls extends LimitCalls {
  constructor(private readonly calls: ServiceCalls) {
    super();
  }

  override borrow({ keyId, botId, apiId }: KeyReference, call: LimitCall): Promise<Lent> {
    return this.post(`/internal/api-limits/${keyId}`, { bot_id: botId, api_id: apiId, ...call });
  }

  override report(holder: string, reports: readonly UsageReport[]): Promise<void> {
    return this.post('/internal/api-usage', { holder, reports });
  }

  private post<Answer>(path: string, body: object): Promise<Answer> {
    return RequestContext.run(RequestContext.background(), () => this.calls.post<Answer>('publication', path, body, HARMLESS));
  }
}
