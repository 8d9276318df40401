import { type Change, put, table } from '@parlance/read-models';

/** The last word on one key, such as `session:<id>` or `user:<id>`. */
export interface RevocationRow {
  readonly key: string;
  readonly revoked: boolean;
  /** The position of the event that says so. */
  readonly position: number;
  /** Epoch milliseconds after which nothing with this key can be good anyway: by then the revocation may be forgotten. */
  readonly until: number;
}

/** For keys that are revoked until the revocation is lifted. */
export const FOREVER = Number.MAX_SAFE_INTEGER;

/** The read model that its owner fills from its own log, by `revoke` and `lift`, in a projection that names no other table. */
export const revocationRows = table<RevocationRow>('revocations', { byPosition: ['position'], byUntil: ['until'] });

export function revoke(key: string, position: number, until: number): Change {
  return put(revocationRows, key, { key, revoked: true, position, until });
}

/** Takes a revocation back. The row stays, for those who have a copy of the earlier one. */
export function lift(key: string, position: number): Change {
  return put(revocationRows, key, { key, revoked: false, position, until: 0 });
}
