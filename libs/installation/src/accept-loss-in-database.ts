import { storedLog } from '@parlance/event-store/mongo-copies';
import { rebuildForeign } from '@parlance/read-models/mongo';
import { databasesOf, type MongoDatabases } from './mongo-databases.ts';
import type { LogRefused } from './mark.ts';
import { acceptLossInMongo } from './mongo-installation.ts';

/** Like `acceptLoss`, for a log in MongoDB. `services` are the services whose read models may have been built from the log. */
export function acceptLossInDatabase(uri: string, log: string, services: readonly string[]): Promise<LogRefused | null> {
  return inDatabases(uri, (databases) => {
    const [shared, own] = [databases.shared, databases.of(log)];
    return acceptLossInMongo({ shared, own }, log, storedLog(own), () => rebuildIn(databases, services));
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
