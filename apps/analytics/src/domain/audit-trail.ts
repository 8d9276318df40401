import type { Decider } from '@parlance/decider';

/** An entry of the audit log. `ip_address` and `user_agent` are sealed if their user is known. */
export interface AuditEntry {
  readonly id: string;
  readonly user_id: string;
  readonly action_type: string;
  readonly resource_type: string;
  readonly resource_id: string;
  readonly timestamp: number;
  readonly details: Readonly<Record<string, unknown>>;
  readonly ip_address: string | null;
  readonly user_agent: string | null;
  readonly success: boolean;
  readonly error_message: string | null;
}

/**
 * How `hash` was computed: an HMAC under a key derived from the master key. Entries of release 0.2 lack this field: their hash is a plain
 * SHA-256.
 */
export const KEYED = 'hmac-sha256';

export type AuditTrailCommand = { type: 'Record'; entries: readonly AuditEntry[] };
export type AuditTrailEvent = {
  type: 'AuditEntryRecorded';
  entry: AuditEntry;
  previousHash: string;
  hash: string;
  proof?: typeof KEYED;
};
export type AuditTrail = { readonly head: string };

/**
 * A chain: the hash of each entry covers the entry and the previous hash, so no entry can be changed, removed, moved or added without the
 * key. The hash function is passed in, and the text that it covers is defined here.
 */
export function auditTrail(keyedHash: (text: string) => string): Decider<AuditTrailCommand, AuditTrailEvent, AuditTrail> {
  return {
    initialState: { head: '' },
    // All entries are in one stream, so that they form one chain. Commits may be large, so snapshots are frequent to limit how many are read.
    snapshots: { every: 10, shape: 'head-1' },
    decide({ entries }, { head }) {
      const events: AuditTrailEvent[] = [];
      for (const entry of entries) {
        const previousHash = events.at(-1)?.hash ?? head;
        const hash = keyedHash(chained(previousHash, entry));
        events.push({ type: 'AuditEntryRecorded', entry, previousHash, hash, proof: KEYED });
      }
      return events;
    },
    evolve: (_, event) => ({ head: event.hash }),
  };
}

/** The text that is hashed. The order of the fields is fixed here, and does not depend on the object. */
export function chained(previousHash: string, entry: AuditEntry): string {
  return JSON.stringify([
    previousHash,
    entry.id,
    entry.user_id,
    entry.action_type,
    entry.resource_type,
    entry.resource_id,
    entry.timestamp,
    entry.details,
    entry.ip_address,
    entry.user_agent,
    entry.success,
    entry.error_message,
  ]);
}

export const AUDIT_TRAIL_STREAM = 'audit-trail';
