import { createHash } from 'node:crypto';
import { type AuditTrailEvent, auditTrailStream, chained } from '@parlance/analytics';
import type { StoredCommit } from '../adapters/sqlite-check.ts';

/** Follows the chain of the audit log along the commits of analytics, and says where it breaks. */
export class AuditChain {
  readonly breaks: string[] = [];
  entries = 0;
  private head = '';

  readonly follow = ({ position, stream, events }: StoredCommit): void => {
    if (stream !== auditTrailStream) return;
    for (const { event } of events) {
      const { entry, previousHash, hash } = event as AuditTrailEvent;
      this.entries += 1;
      const right = createHash('sha256').update(chained(previousHash, entry)).digest('hex');
      if (previousHash !== this.head)
        this.breaks.push(`the audit chain, position ${position}: entry ${entry.id} does not follow the one before`);
      else if (hash !== right)
        this.breaks.push(`the audit chain, position ${position}: entry ${entry.id} is not what its hash was taken of`);
      this.head = hash;
    }
  };
}
