import { Injectable } from '@nestjs/common';
import { type Decider, Refusal } from '@parlance/decider';
import { type CloudEvent, onceName } from '@parlance/messaging';
import { MasterKey } from '@parlance/privacy';
import { Streams } from '@parlance/foundation';
import {
  type AuditEntry,
  type AuditTrail,
  auditTrail,
  type AuditTrailCommand,
  type AuditTrailEvent,
  AUDIT_TRAIL_STREAM,
} from '../domain/audit-trail.ts';
import { commandWith } from '../bus.ts';
import { Batches } from './batches.ts';
import { chainHashes } from './chain-hashes.ts';

/** The most entries in one append, so that writing their rows does not take long. */
const ENTRIES_AT_ONCE = 200;
/** After this many bytes, an append takes no further entry. */
const BYTES_AT_ONCE = 1024 * 1024;

const POLICY = 'audit';

interface NewEntry {
  readonly because: CloudEvent;
  readonly entry: AuditEntry;
}

/**
 * All entries go to one stream. Entries that arrive during an append wait for the next one, and share it: the entries of one process never
 * conflict, and a burst costs few appends.
 */
@Injectable()
export class AuditTrailCommands {
  private readonly batches = new Batches<NewEntry>(
    { count: ENTRIES_AT_ONCE, bytes: BYTES_AT_ONCE, sizeOf: ({ entry }) => JSON.stringify(entry).length },
    (batch) => this.recordAll(batch),
  );

  private readonly trail: Decider<AuditTrailCommand, AuditTrailEvent, AuditTrail>;

  constructor(
    private readonly streams: Streams,
    master: MasterKey,
  ) {
    this.trail = auditTrail(chainHashes(master).keyed);
  }

  /** Resolves when the entry is recorded, now or by an earlier delivery of its event. */
  record(because: CloudEvent, entry: AuditEntry): Promise<void> {
    return this.batches.add({ because, entry });
  }

  private async recordAll(batch: readonly NewEntry[]): Promise<void> {
    // Two deliveries of one event may wait at the same time.
    const unrecorded = new Map(batch.map((each) => [nameOf(each), each]));
    while (unrecorded.size > 0) {
      const earlier = await this.append([...unrecorded.values()]);
      if (earlier.length === 0) return;
      for (const name of earlier) unrecorded.delete(name);
    }
  }

  /** Appends the entries. Returns the names of entries that were recorded before. If there are any, nothing was written. */
  private async append(batch: readonly NewEntry[]): Promise<readonly string[]> {
    const because = batch.map((each) => each.because);
    const done = await this.streams.react(POLICY, because, this.trail, AUDIT_TRAIL_STREAM, {
      type: 'Record',
      entries: batch.map(({ entry }) => entry),
    });
    if (done instanceof Refusal) throw done;
    return done.earlier.map(({ name }) => name);
  }
}

export const RecordAuditEntry = commandWith(
  'RecordAuditEntry',
  [AuditTrailCommands],
  ([trail], ...args: Parameters<AuditTrailCommands['record']>) => trail.record(...args),
);

const nameOf = ({ because }: NewEntry) => onceName(POLICY, because);
