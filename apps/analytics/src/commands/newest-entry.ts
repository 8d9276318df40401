import type { EventStore } from '@parlance/event-store';
import type { MasterKey } from '@parlance/privacy';
import type { Streams } from '@parlance/foundation';
import { auditTrail, type AuditTrailEvent, AUDIT_TRAIL_STREAM } from '../domain/audit-trail.ts';
import { chainHashes } from './chain-hashes.ts';

/** The newest entry of the audit log, and the version of the commit that contains it. Reads a bounded part of the log. */
export async function newestEntry(
  store: EventStore,
  streams: Streams,
  master: MasterKey,
): Promise<{ readonly event: AuditTrailEvent; readonly version: number } | null> {
  const { version } = await streams.look(auditTrail(chainHashes(master).keyed), AUDIT_TRAIL_STREAM);
  if (version === 0) return null;
  const { commits } = await store.read(AUDIT_TRAIL_STREAM, version - 1, 1);
  const event = commits[0]?.events.at(-1)?.event as AuditTrailEvent | undefined;
  return event ? { event, version } : null;
}
