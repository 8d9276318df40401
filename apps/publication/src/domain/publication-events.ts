import type { Instant } from '@parlance/decider';
import type { Period } from '@parlance/limits';

/** The number of requests that a key may make in each period. `offset` is subtracted in the first period. */
export interface Quota {
  readonly limit: number;
  readonly offset: number;
  readonly period: Period;
}

/** The bucket of each key: `rate_limit` is refilled per second, `burst_limit` is its size. */
export interface Throttle {
  readonly rate_limit: number;
  readonly burst_limit: number;
}

/** The settings that can be changed while the bot is published. */
export interface Terms {
  readonly quota: Quota | null;
  readonly throttle: Throttle;
  readonly allowedOrigins: readonly string[];
}

/** A user's change of the terms. Absent fields stay as they are, including fields of the throttle. */
export type TermsChange = Partial<Omit<Terms, 'throttle'>> & { readonly throttle?: Partial<Throttle> };

/** The claim of the process that does the work, and when the lease ends. */
export interface Lease {
  readonly claim: string;
  readonly leaseUntil: Instant;
}

export interface ApiKeyFacts {
  readonly keyId: string;
  /** Sealed under the key of the bot's owner. */
  readonly description: string;
  /** SHA-256 of the whole value. */
  readonly hash: string;
  /** The last characters of the value, by which users recognise the key. */
  readonly ending: string;
  readonly expiresAt: Instant | null;
  readonly allowedIpRanges: readonly string[];
}

/** A user's change of a key. `description` is sealed. */
export interface ApiKeyChange {
  readonly enabled?: boolean;
  readonly description?: string;
  readonly expiresAt?: Instant | null;
}

export type RemovalReason = 'requested' | 'bot_deleted' | 'owner_erased';

/** One attempt to publish a bot. */
interface OfDeployment {
  readonly deploymentId: string;
  readonly ownerUserId: string;
  /** Counts the requests to publish this bot. */
  readonly number: number;
}

/** `revision` counts the changes of a publication or a key. Copies of earlier revisions are invalid. */
export type PublicationEvent =
  | ({ type: 'PublicationRequested'; by: string; stage: string; terms: Terms; deadline: Instant } & OfDeployment & Lease)
  /** The bot is reserved. */
  | ({ type: 'DeploymentStarted'; stage: string } & OfDeployment)
  | ({ type: 'DeploymentTakenOver' } & Lease)
  /** The bot was not reserved. Once it is released, no trace of the request remains. */
  | { type: 'RequestGivenUp' }
  | { type: 'RequestWithdrawn' }
  | { type: 'RollbackBegun'; reason: string }
  | ({ type: 'PublicationFailed'; reason: string } & OfDeployment)
  | ({ type: 'PublicationSucceeded'; stage: string } & OfDeployment)
  | { type: 'PublicationChanged'; by: string; terms: Partial<Terms>; number: number; revision: number }
  /** From here on, no edge serves the API, and its keys are invalid. */
  | ({ type: 'PublicationRemovalBegun'; by: string; number: number; revision: number; keyIds: readonly string[] } & Lease)
  | ({
      type: 'PublicationRemoved';
      because: RemovalReason;
      wasPublished: boolean;
      revision: number;
      keyIds: readonly string[];
    } & OfDeployment)
  | ({ type: 'ApiKeyCreated'; by: string } & ApiKeyFacts)
  | {
      type: 'ApiKeyChanged';
      by: string;
      keyId: string;
      change: ApiKeyChange;
      enabled: boolean;
      expiresAt: Instant | null;
      revision: number;
    }
  | { type: 'ApiKeyRevoked'; by: string; keyId: string; revision: number };

/** What later decisions need to know about a key. */
export interface LivingKey {
  readonly enabled: boolean;
  readonly expiresAt: Instant | null;
  readonly revision: number;
}

interface Present extends OfDeployment, Lease {
  readonly stage: string;
  readonly terms: Terms;
  readonly deadline: Instant;
}

/**
 * `number`: the number of the newest request. `requested`: the bot has yet to be reserved. `given_up` and `rolling_back`: the bot has yet
 * to be released. `removing`: the keys are invalid, and the bot has yet to be released.
 */
export type Publication =
  | { readonly status: 'none'; readonly number: number }
  | (Present & { readonly status: 'requested' | 'deploying' | 'given_up' | 'failed' })
  | (Present & { readonly status: 'rolling_back'; readonly reason: string })
  | (Present & { readonly status: 'succeeded'; readonly revision: number; readonly keys: Readonly<Record<string, LivingKey>> })
  | (Present & { readonly status: 'removing'; readonly revision: number; readonly keyIds: readonly string[] });

export type Published = Extract<Publication, { status: 'succeeded' }>;
