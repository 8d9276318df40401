import { Inject, Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { Instant } from '@parlance/decider';
import { EventStore } from '@parlance/event-store';
import { MasterKey } from '@parlance/privacy';
import { Clock, LOGGER, Streams } from '@parlance/foundation';
import { Config } from '@parlance/config';
import type { Logger } from 'pino';
import { readAuditHead, writeAuditHead } from '../adapters/audit-head-file.ts';
import { chainHashes } from '../commands/chain-hashes.ts';
import { newestEntry } from '../commands/newest-entry.ts';
import { type AuditHead, verifyChain } from '../projections/audit-verification.ts';

/**
 * Writes the head of the audit log to the process's log and to `auditHeadFile` on a schedule, so that a copy can be kept elsewhere. Before that,
 * verifies the entries since the last head. The head of a log that does not continue the last head is never written.
 */
@Injectable()
export class ExportAuditHead implements OnApplicationBootstrap {
  private left: AuditHead | null = null;

  constructor(
    private readonly store: EventStore,
    private readonly streams: Streams,
    private readonly master: MasterKey,
    private readonly config: Config,
    private readonly clock: Clock,
    @Inject(LOGGER) private readonly log: Logger,
  ) {}

  async onApplicationBootstrap(): Promise<void> {
    this.left = await this.inFile();
  }

  /** Heads that were exported so far, each of which the log must contain. Rejects with `NoAuditHead`. */
  async heads(): Promise<readonly AuditHead[]> {
    const inFile = await this.inFile();
    return [this.left, inFile].filter((head) => head !== null);
  }

  async export(): Promise<void> {
    const head = await this.next();
    if (head === null || head.version === this.left?.version) return;
    const { auditHeadFile } = this.config;
    if (auditHeadFile !== null) await writeAuditHead(auditHeadFile, head, Instant.toString(this.clock.now()));
    this.left = head;
    this.log.info({ audit_head: head }, 'the head of the audit log');
  }

  /** The newest head; null if there is none, and if the log is not intact. */
  private async next(): Promise<AuditHead | null> {
    const hashes = chainHashes(this.master);
    const after = (await this.inFile()) ?? this.left;
    if (after === null) return this.newest();
    const { head, broken } = await verifyChain(this.store, hashes, { after });
    if (broken === null) return head;
    this.log.error(
      { audit_head: after, entry: broken.id },
      `the audit log differs from its recorded entries: entry ${broken.id} ${broken.reason}`,
    );
    return null;
  }

  /** The newest head. If no head was exported yet, the newest entry is used without verifying the complete log. */
  private async newest(): Promise<AuditHead | null> {
    const newest = await newestEntry(this.store, this.streams, this.master);
    return newest && { id: newest.event.entry.id, hash: newest.event.hash, version: newest.version };
  }

  private async inFile(): Promise<AuditHead | null> {
    const { auditHeadFile } = this.config;
    return auditHeadFile === null ? null : readAuditHead(auditHeadFile);
  }
}
