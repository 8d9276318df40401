import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Instant } from '@parlance/decider';
import type { EventStore, Metadata } from '@parlance/event-store';
import { openSqliteEventStore } from '@parlance/event-store/sqlite';
import { projection, Projector } from '@parlance/read-models';
import { openSqliteReadModels } from '@parlance/read-models/sqlite';
import { openSqliteFile } from '@parlance/sqlite';
import { RevocationFeed } from '../src/feed.ts';
import { MemoryWatcherRegistry } from '../src/memory.ts';
import { StoredRevocations } from '../src/records.ts';
import { lift, revocationRows, revoke } from '../src/rows.ts';
import { EndlessTime, TimeByTurns } from './times.ts';

type DoorEvent = { type: 'Shut'; keys: readonly string[]; until: number } | { type: 'Opened'; keys: readonly string[] };

const doors = projection<DoorEvent>({
  name: 'revocations',
  version: 1,
  tables: [revocationRows],
  on: {
    Shut: ({ keys, until }, { position }) => keys.map((key) => revoke(key, position, until)),
    Opened: ({ keys }, { position }) => keys.map((key) => lift(key, position)),
  },
});

const metadata: Metadata = {
  at: Instant.ofMillis(1),
  actor: null,
  ip: null,
  userAgent: null,
  requestId: 'r',
  correlationId: 'c',
  causationId: null,
};

/** An owner with a real log and real rows. */
export interface Owner {
  readonly feed: RevocationFeed;
  readonly registry: MemoryWatcherRegistry;
  readonly projector: Projector;
  readonly store: EventStore;
  /** Appends and returns the position. The rows include it some time later. */
  append(event: DoorEvent): Promise<number>;
  shut(...keys: readonly string[]): Promise<number>;
  /** The same feed with a clock that advances with the turns of the event loop. */
  readonly fast: RevocationFeed;
  /** The same feed with a clock that stands still, so that waits end only with changes. */
  readonly patient: RevocationFeed;
  /** A feed of another replica, whose rows have only reached this position. */
  withRowsAt(position: number): RevocationFeed;
  end(): Promise<void>;
}

export async function anOwner(): Promise<Owner> {
  const directory = await mkdtemp(join(tmpdir(), 'parlance-revocation-'));
  const file = await openSqliteFile(join(directory, 'owner.db'));
  const store = await openSqliteEventStore(file);
  const models = await openSqliteReadModels(file);
  const projector = new Projector({ store, models, projections: [doors] });
  await projector.start();
  const registry = new MemoryWatcherRegistry({ watchersOutliveIt: false });
  const records = new StoredRevocations(store, models, projector, doors.name);
  let version = 0;
  const append = async (event: DoorEvent) => {
    await store.append({ stream: 'doors', expected: version++, events: [event], metadata });
    return store.positionOf('doors', version);
  };
  return {
    feed: new RevocationFeed(records, registry),
    withRowsAt: (position) => {
      const behind = new StoredRevocations(store, models, { reached: async () => position }, doors.name);
      return new RevocationFeed(behind, registry, new TimeByTurns());
    },
    fast: new RevocationFeed(records, registry, new TimeByTurns()),
    patient: new RevocationFeed(records, registry, new EndlessTime()),
    registry,
    projector,
    store,
    append,
    async shut(...keys) {
      const position = await append({ type: 'Shut', keys, until: Number.MAX_SAFE_INTEGER });
      await projector.includes(position);
      return position;
    },
    async end() {
      await projector.stop();
      await store.close();
      await models.close();
      await file.close();
      await rm(directory, { recursive: true });
    },
  };
}
