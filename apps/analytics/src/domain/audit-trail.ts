import type { Decider } from '@parlance/decider';

/** One line of the audit log, as it is answered to administrators. */
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

export type AuditTrailCommand = { type: 'Record'; entries: readonly AuditEntry[] };
export type AuditTrailEvent = { type: 'AuditEntryRecorded'; entry: AuditEntry; previousHash: string; hash: string };
export type AuditTrail = { readonly head: string };

/**
 * A chain: each entry's hash covers the entry and the hash before it, so none can be changed, dropped or slipped in
 * without every later hash being wrong. The hash function is handed in; the rule of what it covers is here.
 */
export function auditTrail(hash: (text: string) => string): Decider<AuditTrailCommand, AuditTrailEvent, AuditTrail> {
  return {
    initialState: { head: '' },
    // All entries are one stream, so that they form one chain. A commit may hold many of them, so few commits are read.
    snapshots: { every: 10, shape: 'head-1' },
    decide({ entries }, { head }) {
      const events: AuditTrailEvent[] = [];
      for (const entry of entries) {
        const previousHash = events.at(-1)?.hash ?? head;
        events.push({ type: 'AuditEntryRecorded', entry, previousHash, hash: hash(chained(previousHash, entry)) });
      }
      return events;
    },
    evolve: (_, event) => ({ head: event.hash }),
  };
}

/** What is hashed. The order of the fields is fixed here, and not by whoever made the object. */
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

export const auditTrailStream = 'audit-trail';
