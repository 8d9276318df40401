import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { type Commit, commitsOf, type EventStore } from '@parlance/event-store';
import { openSqliteEventStore } from '@parlance/event-store/sqlite';
import type { CloudEvent } from '@parlance/messaging';
import { LocalMasterKey } from '@parlance/privacy';
import type { Projector } from '@parlance/read-models';
import { Clock, Streams } from '@parlance/foundation';
import { openSqliteFile, type SqliteFile } from '@parlance/sqlite';
import { AuditTrailCommands } from '../src/commands/audit-trail.ts';
import { chainHashes } from '../src/commands/chain-hashes.ts';
import { type AuditEntry, type AuditTrailEvent, AUDIT_TRAIL_STREAM, chained } from '../src/domain/audit-trail.ts';

const BURST = 5_000;
const master = new LocalMasterKey(randomBytes(32));

const recording = (id: string) => {
  const because = { id, source: '/identity', type: 'parlance.identity.user-enabled.v1', time: '2026-01-01T00:00:00Z' } as CloudEvent;
  return [because, { id, user_id: 'ann', details: {}, success: true } as unknown as AuditEntry] as const;
};
const ids = (count: number) => Array.from({ length: count }, (_, n) => `e${n}`);

describe('a burst of entries', () => {
  let directory: string;
  let file: SqliteFile;
  let store: EventStore;
  const commandsOn = (on: EventStore) =>
    new AuditTrailCommands(new Streams(on, {} as Projector, new Clock(), { seal: async () => undefined }), master);
  const commits = async () => {
    const all: Commit[] = [];
    for await (const commit of commitsOf(store, AUDIT_TRAIL_STREAM)) all.push(commit);
    return all;
  };
  const entries = async () => (await commits()).flatMap(({ events }) => events.map(({ event }) => event as AuditTrailEvent));
  const expectChain = (events: readonly AuditTrailEvent[]) => {
    let head = '';
    for (const { entry, previousHash, hash } of events) {
      expect(previousHash).toBe(head);
      head = chainHashes(master).keyed(chained(head, entry));
      expect(hash).toBe(head);
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

  it('is recorded in few appends, in order and once each', async () => {
    const trail = commandsOn(store);
    const repeated = ids(BURST).flatMap((id, n) => (n % 7 === 0 ? [id, id] : [id]));
    await Promise.all(repeated.map((id) => trail.record(...recording(id))));
    await Promise.all(ids(BURST).map((id) => trail.record(...recording(id))));
    const recorded = await entries();
    expect(recorded.map(({ entry }) => entry.id)).toEqual(ids(BURST));
    expectChain(recorded);
    expect((await commits()).length).toBeLessThan(BURST / 50);
  });

  it('is recorded once by two processes that receive the same events', async () => {
    const trails = [commandsOn(store), commandsOn(await openSqliteEventStore(file))];
    const outcomes = await Promise.allSettled(
      trails.flatMap((trail, which) =>
        ids(BURST / 5).map((id, n) => trail.record(...recording(which === 0 ? id : `e${(n * 7) % (BURST / 5)}`))),
      ),
    );
    expect(outcomes.filter(({ status }) => status === 'rejected')).toEqual([]);
    const recorded = await entries();
    expect(recorded.map(({ entry }) => entry.id).toSorted()).toEqual(ids(BURST / 5).toSorted());
    expectChain(recorded);
  });

  it('leaves out what was recorded before, without failing the rest of its batch', async () => {
    const trail = commandsOn(store);
    await trail.record(...recording('e1'));
    await Promise.all(['e0', 'e1', 'e2', 'e1', 'e3'].map((id) => trail.record(...recording(id))));
    expect((await entries()).map(({ entry }) => entry.id)).toEqual(['e1', 'e0', 'e2', 'e3']);
  });
});
