import { AuditChain, type AuditTrailEvent, AUDIT_TRAIL_STREAM, chainHashes } from '@parlance/analytics';
import type { Host } from '@parlance/foundation';
import type { StoredCommit } from '../adapters/sqlite-check.ts';

/** Checks the hash chain of the audit log in the commits of analytics, and finds the first broken entry. */
export class StoredAuditChain {
  private readonly chain: AuditChain;

  constructor(master: Host['master']) {
    this.chain = new AuditChain(chainHashes(master));
  }

  get entries(): number {
    return this.chain.entries;
  }

  /** Complete after the last commit. Names only the first broken entry. */
  get breaks(): readonly string[] {
    const { firstBroken } = this.chain;
    return firstBroken ? [`the audit chain: entry ${firstBroken.id} ${firstBroken.reason}`] : [];
  }

  readonly follow = ({ stream, events }: StoredCommit): void => {
    if (stream !== AUDIT_TRAIL_STREAM) return;
    for (const { event } of events) this.chain.follow(event as AuditTrailEvent);
  };
}
