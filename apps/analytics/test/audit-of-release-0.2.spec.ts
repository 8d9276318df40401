import { createHash, randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { CommandBus } from '@nestjs/cqrs';
import { Instant } from '@parlance/decider';
import type { EventStore, Metadata } from '@parlance/event-store';
import { openSqliteEventStore } from '@parlance/event-store/sqlite';
import { LocalMasterKey } from '@parlance/privacy';
import type { Projector } from '@parlance/read-models';
import { Clock, Streams } from '@parlance/foundation';
import { openSqliteFile, type SqliteFile } from '@parlance/sqlite';
import { AuditTrailCommands, type RecordAuditEntry } from '../src/commands/audit-trail.ts';
import { chainHashes } from '../src/commands/chain-hashes.ts';
import { type AuditEntry, type AuditTrailEvent, AUDIT_TRAIL_STREAM, chained } from '../src/domain/audit-trail.ts';
import { KeyAuditTrailOnStart } from '../src/policies/key-audit-trail-on-start.ts';
import { verifyChain } from '../src/projections/audit-verification.ts';

const metadata: Metadata = {
  at: Instant.ofMillis(0),
  actor: null,
  ip: null,
  userAgent: null,
  requestId: 'r',
  correlationId: 'r',
  causationId: null,
};

describe('audit entries of release 0.2, which have hashes without a key', () => {
  const master = new LocalMasterKey(randomBytes(32));
  let directory: string;
  let file: SqliteFile;
  let store: EventStore;
  const verify = () => verifyChain(store, chainHashes(master));
  const start = async () => {
    const streams = new Streams(store, {} as Projector, new Clock(), { seal: async () => undefined });
    const commands = new AuditTrailCommands(streams, master);
    const bus = { execute: ({ args }: InstanceType<typeof RecordAuditEntry>) => commands.record(...args) } as unknown as CommandBus;
    await new KeyAuditTrailOnStart(store, streams, master, bus, new Clock()).onApplicationBootstrap();
  };
  const recordAsBefore = async (...ids: string[]) => {
    let head = '';
    for (const [version, id] of ids.entries()) {
      const entry = { id, user_id: 'ann', details: {}, ip_address: '203.0.113.9', success: true } as unknown as AuditEntry;
      const hash = createHash('sha256').update(chained(head, entry)).digest('hex');
      const event: AuditTrailEvent = { type: 'AuditEntryRecorded', entry, previousHash: head, hash };
      await store.append({ stream: AUDIT_TRAIL_STREAM, expected: version, events: [event], metadata });
      head = hash;
    }
  };

  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), 'audit-'));
    file = await openSqliteFile(join(directory, 'analytics.db'));
    store = await openSqliteEventStore(file);
  });
  afterEach(async () => {
    await store.close();
    await file.close();
    await rm(directory, { recursive: true });
  });

  it('verify after the first start has appended a keyed entry', async () => {
    await recordAsBefore('e1', 'e2');
    expect((await verify()).broken).toMatchObject({ id: 'e1' });
    await start();
    expect(await verify()).toMatchObject({ checked: 3, broken: null, head: { id: 'key-audit-trail', version: 3 } });
  });
  it('get that entry only once, even after several starts', async () => {
    await recordAsBefore('e1');
    for (let starts = 0; starts < 3; starts++) await start();
    expect(await verify()).toMatchObject({ checked: 2, broken: null });
  });
  it('cause no keyed entry in an empty log', async () => {
    await start();
    expect(await verify()).toEqual({ checked: 0, head: null, broken: null });
  });
});
