import { stat } from 'node:fs/promises';
import { type DynamicModule, Module } from '@nestjs/common';
import { EventStore, type Upcasters } from '@parlance/event-store';
import { BUCKET_LEASE_MILLIS, LimitRows, MemoryLimitRows } from '@parlance/limits';
import { RelayCheckpoints } from '@parlance/messaging';
import type { OuterKeys, SubjectKeys } from '@parlance/privacy';
import { LogWrites } from '@parlance/observability';
import { type Projection, ReadModels } from '@parlance/read-models';
import { MemoryWatcherRegistry, WatcherRegistry } from '@parlance/revocation';
import type { Host } from '../process/host.ts';

/** The adapters over one service's database. */
export interface Storage {
  readonly store: EventStore;
  /** Whether the store can be written. */
  readonly writes: LogWrites;
  readonly models: ReadModels;
  readonly checkpoints: RelayCheckpoints;
  /** The processes that keep copies of this service's revocations. */
  readonly watchers: WatcherRegistry;
  /** The parts of limits that this service has leased to replicas, if no events record these leases. */
  readonly limits: LimitRows;
  /** The replicas of this service. `seen` is the time of the last beat (ms). */
  readonly replicas: WatcherRegistry;
  /** Increases with each write to the database, or with each call while another process may be writing to it. */
  readonly changes?: () => number;
  /** The size of the database on disk; null if unknown. */
  bytes(): Promise<number | null>;
  openSubjectKeys(outer?: OuterKeys): Promise<SubjectKeys>;
  close(): Promise<void>;
}

export const STORAGE = Symbol('storage');

export interface StoredService {
  readonly name: string;
  /** Projections of the service's own log. SQLite writes their rows in the transaction of each append. */
  readonly projections: readonly Projection[];
  readonly upcasters?: Upcasters | undefined;
}

/** Opens one database per service: in MongoDB if it is configured, otherwise a file in the data directory. */
@Module({})
export class StorageModule {
  static of(host: Host, service: StoredService): DynamicModule {
    return {
      module: StorageModule,
      providers: [
        { provide: STORAGE, useFactory: () => openStorage(host, service) },
        { provide: EventStore, useFactory: (storage: Storage) => storage.store, inject: [STORAGE] },
        { provide: ReadModels, useFactory: (storage: Storage) => storage.models, inject: [STORAGE] },
        { provide: RelayCheckpoints, useFactory: (storage: Storage) => storage.checkpoints, inject: [STORAGE] },
        { provide: WatcherRegistry, useFactory: (storage: Storage) => storage.watchers, inject: [STORAGE] },
        { provide: LimitRows, useFactory: (storage: Storage) => storage.limits, inject: [STORAGE] },
      ],
      exports: [STORAGE, EventStore, ReadModels, RelayCheckpoints, WatcherRegistry, LimitRows],
    };
  }
}

function openStorage(host: Host, service: StoredService): Promise<Storage> {
  return host.config.mongoUri === null ? openInFile(host, service) : openInMongo(host, host.config.mongoUri, service);
}

async function openInFile(host: Host, { name, projections, upcasters }: StoredService): Promise<Storage> {
  const { config, directory, installation, master } = host;
  if (!directory || !installation) throw new Error('the embedded store needs a data directory');
  const [sqlite, events, rows, relay, keys] = await Promise.all([
    import('@parlance/sqlite'),
    import('@parlance/event-store/sqlite'),
    import('@parlance/read-models/sqlite'),
    import('@parlance/messaging/sqlite'),
    import('@parlance/privacy/sqlite'),
  ]);
  const onMoveFailed = (err: Error) => host.logging.for(name).warn({ err, file: `${name}.db` }, LOG_NOT_MOVED);
  let writes: LogWrites | undefined;
  const onWriteFailed = () => writes?.failed();
  const file = await sqlite.openSqliteFile(directory.file(`${name}.db`), { onMoveFailed, onWriteFailed });
  const hasOtherProcesses = Object.keys(config.services).length > 0;
  const models = await rows.openSqliteReadModels(file);
  models.onLost = warnOfLost(host, name);
  const beside = models.besideAppend(projections);
  const store = await events.openSqliteEventStore(file, { beside, isAlone: true, ...(upcasters && { upcasters }) });
  writes = new LogWrites(store);
  await installation.keep(name, file);
  return {
    store,
    writes,
    models,
    checkpoints: await relay.openSqliteRelayCheckpoints(file),
    watchers: new MemoryWatcherRegistry({ watchersOutliveIt: hasOtherProcesses }),
    replicas: new MemoryWatcherRegistry({ watchersOutliveIt: false }),
    changes: () => file.changes(),
    bytes: () => bytesOfFile(directory.file(`${name}.db`)),
    limits: new MemoryLimitRows({ outlivedMillis: hasOtherProcesses ? BUCKET_LEASE_MILLIS : 0 }),
    openSubjectKeys: (outer) => keys.openSqliteSubjectKeys(file, master, { ...(outer && { outer }) }),
    close: async () => {
      await Promise.all([store.close(), models.close()]);
      await installation.release(name);
      await file.close();
    },
  };
}

async function openInMongo(host: Host, uri: string, { name, upcasters }: StoredService): Promise<Storage> {
  const { logging, master } = host;
  const [{ databasesOf }, events, rows, relay, keys, watchers, limits, { MongoInstallation }] = await Promise.all([
    import('@parlance/installation/mongo-databases'),
    import('@parlance/event-store/mongo'),
    import('@parlance/read-models/mongo'),
    import('@parlance/messaging/mongo'),
    import('@parlance/privacy/mongo'),
    import('@parlance/revocation/mongo'),
    import('@parlance/limits/mongo'),
    import('@parlance/installation/mongo-installation'),
  ]);
  const { client, shared, of } = await host.reach(
    'database',
    () => databasesOf(uri, name),
    (reason) => logging.for(name).warn(`${reason}; another attempt follows`),
  );
  const db = of(name);
  const store = await events.openMongoEventStore(db, { ...(upcasters && { upcasters }) });
  const warn = (err: unknown) => logging.for(name).warn({ err }, 'the mark of the log could not be written; another attempt follows');
  const installation = await MongoInstallation.open({ shared, own: db }, name, store, warn);
  const models = await rows.openMongoReadModels(client, db);
  models.onLost = warnOfLost(host, name);
  return {
    store,
    writes: new LogWrites(store),
    models,
    checkpoints: await relay.openMongoRelayCheckpoints(db),
    watchers: watchers.openMongoWatcherRegistry(db),
    replicas: watchers.openMongoWatcherRegistry(db, 'replicas'),
    changes: changesAfterGrowth(store),
    bytes: async () => {
      const { storageSize, indexSize } = (await db.command({ dbStats: 1 })) as { storageSize?: number; indexSize?: number };
      return storageSize === undefined ? null : storageSize + (indexSize ?? 0);
    },
    limits: limits.openMongoLimitRows(db),
    openSubjectKeys: (outer) => keys.openMongoSubjectKeys(db, master, { ...(outer && { outer }) }),
    close: async () => {
      await installation.close();
      await Promise.all([store.close(), models.close()]);
      await client.close();
    },
  };
}

/** For this long after the log has grown, any process may write rows because of it. */
const ROWS_FOLLOW_MILLIS = 3_000;

/** The changes of a database that several processes write to. */
export function changesAfterGrowth(store: EventStore, now: () => number = () => performance.now()): () => number {
  let changes = 0;
  return () => {
    if (!store.noticesAtOnce() || now() - store.grewAt() < ROWS_FOLLOW_MILLIS) changes++;
    return changes;
  };
}

export const LOG_NOT_MOVED = 'the write-ahead log of a database could not be copied into its file; it grows until a copy succeeds';

/** A SQLite file with its write-ahead log. */
export async function bytesOfFile(path: string): Promise<number> {
  const sizes = await Promise.all([stat(path), stat(`${path}-wal`).catch(() => ({ size: 0 }))]);
  return sizes.reduce((sum, { size }) => sum + size, 0);
}

const warnOfLost =
  ({ logging }: Host, service: string) =>
  (projection: string): void =>
    logging.for(service).warn({ projection }, 'rows of a read model are missing; they are built again from the events');
