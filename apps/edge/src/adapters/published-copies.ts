import { Injectable } from '@nestjs/common';
import { ServiceCalls } from '@parlance/calls';
import { Refusal } from '@parlance/decider';
import { AddressRanges } from '../http/addresses/address-ranges.ts';
import type { LimitedKey } from '../http/published/api-limits.ts';
import { CorsHeaders } from '../http/published/cors-headers.ts';
import { Copies, type Copied } from './copies.ts';
import { PublicationRevocationWatcher } from './publication-revocation-watcher.ts';

/** The data of a published bot that the edge needs. */
export interface PublishedApi {
  readonly apiId: string;
  /** The copy is valid until this is revoked. */
  readonly revision: string;
  readonly botId: string;
  readonly stage: string;
  readonly ownerUserId: string;
  /** While identity has revoked one of these, the API serves no requests. */
  readonly ownerNames: readonly string[];
  readonly quota: LimitedKey['quota'];
  readonly throttle: LimitedKey['throttle'];
  readonly cors: CorsHeaders;
}

export interface PublishedKey {
  readonly keyId: string;
  /** The copy is valid until this is revoked. */
  readonly revision: string;
  /** SHA-256 of the value. */
  readonly hash: Buffer;
  readonly enabled: boolean;
  /** Epoch seconds. */
  readonly expiresAt: number | null;
  readonly ranges: AddressRanges;
}

interface Answered {
  readonly revision: string;
  readonly copy_seconds: number;
}

interface ApiAnswer extends Answered {
  readonly bot_id: string;
  readonly owner_user_id: string;
  readonly stage: string;
  readonly quota: LimitedKey['quota'];
  readonly throttle: LimitedKey['throttle'];
  readonly allowed_origins: readonly string[];
}

interface KeyAnswer extends Answered {
  readonly hash: string;
  readonly enabled: boolean;
  readonly expires_at: number | null;
  readonly allowed_ip_ranges: readonly string[];
}

const MOST_APIS = 10_000;
const MOST_KEYS = 50_000;
/** How long the edge remembers that a key does not exist. IDs of keys are random, so nobody uses the ID of a later key by chance. */
const NOTHING_MS = 60_000;
/** The form of an API ID: the ID of a deployment in lower case. */
const API_ID = /^[0-7][0-9a-hjkmnp-tv-z]{25}$/;

/** Copies of published bots and their keys from the publication service. */
@Injectable()
export class PublishedCopies {
  private readonly apis: Copies<PublishedApi>;
  private readonly keys: Copies<PublishedKey>;

  constructor(
    private readonly calls: ServiceCalls,
    private readonly watcher: PublicationRevocationWatcher,
  ) {
    const ask = async <Answer extends Answered, Value>(path: string, whenNothing: readonly string[], read: (answer: Answer) => Value) => {
      const answer = await orNothing(calls.get<Answer>('publication', `/internal/published/${path}`));
      if (answer === null) return { value: null, names: whenNothing, millis: NOTHING_MS } satisfies Copied<Value>;
      return { value: read(answer), names: [answer.revision], millis: answer.copy_seconds * 1_000 } satisfies Copied<Value>;
    };
    this.apis = new Copies(
      (apiId) => ask<ApiAnswer, PublishedApi>(apiId, [`address:${apiId}`], (answer) => apiOf(apiId, answer)),
      watcher,
      MOST_APIS,
    );
    this.keys = new Copies(
      (name) => ask<KeyAnswer, PublishedKey>(name.replace(' ', '/keys/'), [], (answer) => keyOf(name, answer)),
      watcher,
      MOST_KEYS,
    );
  }

  /** Whether this edge knows that one of these revisions is no longer valid. */
  isKnownRevoked(revisions: readonly string[]): boolean {
    return this.watcher.isKnownRevoked(revisions) === true;
  }

  /** Undefined: the publication service has to be asked. Null: no API is published at this address. */
  knownApi(apiId: string): PublishedApi | null | undefined {
    const known = this.apis.known(apiId);
    return known === undefined && !API_ID.test(apiId) ? null : known;
  }

  /** The current API at an address, or null. Rejects with `service_unavailable`. */
  async api(apiId: string): Promise<PublishedApi | null> {
    return API_ID.test(apiId) ? this.apis.current(apiId) : null;
  }

  /** The API of a deployment in progress, which is not cached; null if there is none. Rejects with `service_unavailable`. */
  async deployment(apiId: string): Promise<PublishedApi | null> {
    const answer = API_ID.test(apiId) ? await orNothing(this.calls.get<ApiAnswer>('publication', `/internal/deployments/${apiId}`)) : null;
    return answer && apiOf(apiId, answer);
  }

  /** Like `knownApi`. `keyId` is a ULID. */
  knownKey(apiId: string, keyId: string): PublishedKey | null | undefined {
    return this.knownKeyNamed(nameOfKey(apiId, keyId));
  }

  /** Like `knownKey`, for a name that `nameOfKey` returned. */
  knownKeyNamed(name: string): PublishedKey | null | undefined {
    return this.keys.known(name);
  }

  /** Rejects with `service_unavailable`. */
  key(apiId: string, keyId: string): Promise<PublishedKey | null> {
    return this.keys.current(nameOfKey(apiId, keyId));
  }
}

export const nameOfKey = (apiId: string, keyId: string): string => `${apiId} ${keyId}`;

async function orNothing<Answer>(asked: Promise<Answer>): Promise<Answer | null> {
  try {
    return await asked;
  } catch (error) {
    if (error instanceof Refusal && error.kind === 'missing') return null;
    throw error;
  }
}

const apiOf = (apiId: string, { revision, bot_id, owner_user_id, stage, quota, throttle, allowed_origins }: ApiAnswer): PublishedApi => ({
  apiId,
  revision,
  botId: bot_id,
  stage,
  ownerUserId: owner_user_id,
  ownerNames: [`user:${owner_user_id}`],
  quota,
  throttle,
  cors: new CorsHeaders(allowed_origins),
});

const keyOf = (name: string, { revision, hash, enabled, expires_at, allowed_ip_ranges }: KeyAnswer): PublishedKey => ({
  keyId: name.slice(name.indexOf(' ') + 1),
  revision,
  hash: Buffer.from(hash, 'hex'),
  enabled,
  expiresAt: expires_at,
  ranges: new AddressRanges(allowed_ip_ranges),
});
