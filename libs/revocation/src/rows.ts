import { type Change, type OutdatedRows, put, table } from '@parlance/read-models';

/** The latest state of one key, such as `session:<id>` or `user:<id>`. */
export interface RevocationRow {
  readonly key: string;
  readonly revoked: boolean;
  /** The position of the event that revoked or lifted the key. */
  readonly position: number;
  /** Epoch milliseconds after which no credential with this key can be valid, so the revocation may be forgotten. */
  readonly until: number;
}

/** For keys that are revoked until the revocation is lifted. */
export const FOREVER = Number.MAX_SAFE_INTEGER;

/** The read model that the owner fills from its own log with `revoke` and `lift`, in a projection without other tables. */
export const revocationRows = table<RevocationRow>('revocations', { byPosition: ['position'], byUntil: ['until'] });

export function revoke(key: string, position: number, until: number): Change {
  return put(revocationRows, key, { key, revoked: true, position, until });
}

/** Lifts a revocation. The row stays, for watchers whose copies have the revocation. */
export function lift(key: string, position: number): Change {
  return put(revocationRows, key, { key, revoked: false, position, until: FOREVER });
}

/** A clock that was wrong for a while must not make anybody forget revocations that count again when it is right. */
const KEPT_AFTER_MILLIS = 30 * 24 * 3_600_000;

/** Revocations that may be forgotten, for `outdated` of the projection. */
export const outdatedRevocations = (now: string): readonly OutdatedRows[] => [
  { table: revocationRows, index: 'byUntil', upTo: Date.parse(now) - KEPT_AFTER_MILLIS },
];
