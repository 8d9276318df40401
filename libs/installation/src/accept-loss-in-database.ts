import { openMongoEventStore } from '@parlance/event-store/mongo';
import { rebuildForeign } from '@parlance/read-models/mongo';
import { databasesOf, type MongoDatabases } from './mongo-databases.ts';
import type { LogRefused } from './mark.ts';
import { acceptLossInMongo } from './mongo-installation.ts';

/** Like `acceptLoss`, for a log in MongoDB. `services` are the services whose read models may have been built from the log. */
export function acceptLossInDatabase(uri: string, log: string, services: readonly string[]): Promise<LogRefused | null> {
  return inDatabases(uri, async (databases) => {
    const [shared, own] = [databases.shared, databases.of(log)];
    const store = await openMongoEventStore(own);
    try {
      return await acceptLossInMongo({ shared, own }, log, store, () => rebuildIn(databases, services));
    } finally {
      await store.close();
    }
  });
}

/** For a lost broker of an installation with its logs in MongoDB. */
export const rebuildForeignInDatabases = (uri: string, services: readonly string[]): Promise<void> =>
  inDatabases(uri, (databases) => rebuildIn(databases, services));

async function inDatabases<Result>(uri: string, work: (databases: MongoDatabases) => Promise<Result>): Promise<Result> {
  const databases = await databasesOf(uri, 'operator');
  try {
    return await work(databases);
  } finally {
    await databases.client.close();
  }
}

async function rebuildIn({ client, of }: MongoDatabases, services: readonly string[]): Promise<void> {
  for (const service of services) await rebuildForeign(client, of(service));
}
