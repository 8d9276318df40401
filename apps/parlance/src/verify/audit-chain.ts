import { AuditChain, type AuditTrailEvent, AUDIT_TRAIL_STREAM, chainHashes } from '@parlance/analytics';
import type { Host } from '@parlance/foundation';
import type { StoredCommit } from '../adapters/sqlite-check.ts';

/** Follows the audit log's hash chain through the commits of analytics, and finds where it breaks. */
export class StoredAuditChain {
  private readonly chain: AuditChain;

  constructor(master: Host['master']) {
    this.chain = new AuditChain(chainHashes(master));
  }

  get entries(): number {
    return this.chain.entries;
  }

  /** Read it after the last commit. Entries after the first broken one are not named. */
  get breaks(): readonly string[] {
    const { firstBroken } = this.chain;
    return firstBroken ? [`the audit chain: entry ${firstBroken.id} ${firstBroken.reason}`] : [];
  }

  readonly follow = ({ stream, events }: StoredCommit): void => {
    if (stream !== AUDIT_TRAIL_STREAM) return;
    for (const { event } of events) this.chain.follow(event as AuditTrailEvent);
  };
}
