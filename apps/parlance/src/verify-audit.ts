import { analytics, AUDIT_TRAIL_STREAM, NoAuditHead, readAuditHead, verifyAuditLog } from '@parlance/analytics';
import type { Config } from '@parlance/config';
import { openHost, prepareService } from '@parlance/foundation';
import { NotDone } from './not-done.ts';

/**
 * `parlance verify-audit [--head FILE]`: recomputes the chain of the audit log under its key, and checks that the log contains the head
 * in FILE, a copy of `auditHeadFile`. Exits with 1 and names the first changed entry. With files as stores
 * the product must be stopped; while it runs, use GET /admin/audit-logs/verify.
 */
export async function verifyAudit(config: Config, words: readonly string[]): Promise<void> {
  const heads = await headsOf(words);
  const host = await openHost(config, true);
  try {
    const { app } = await prepareService(analytics, host);
    const { checked, head, broken } = await verifyAuditLog(app, heads);
    process.stdout.write(`${AUDIT_TRAIL_STREAM}: ${checked} entries, head ${head ? `${head.id} ${head.hash}` : 'none'}\n`);
    if (broken) throw new NotDone(`the audit log is not as it was recorded: entry ${broken.id} ${broken.reason}`);
    process.stdout.write(`${AUDIT_TRAIL_STREAM}: as it was recorded${heads.length > 0 ? ', and it contains the exported head' : ''}\n`);
  } finally {
    await host.shutdown.run();
  }
}

async function headsOf(words: readonly string[]) {
  const at = words.indexOf('--head');
  if (at < 0 && words.length > 0) throw new NotDone(`give the exported head with its option: parlance verify-audit --head ${words[0]}`);
  if (at < 0) return [];
  const path = words[at + 1] ?? '';
  try {
    const head = await readAuditHead(path);
    if (head === null) throw new NoAuditHead(path, 'there is no such file');
    return [head];
  } catch (error) {
    throw error instanceof NoAuditHead ? new NotDone(error.message) : error;
  }
}
