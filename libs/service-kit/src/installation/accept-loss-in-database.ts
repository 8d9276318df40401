import { openMongoEventStore } from '@parlance/event-store/mongo';
import { databasesOf } from '../foundation/mongo-databases.ts';
import type { LogRefused } from './mark.ts';
import { acceptLossInMongo } from './mongo-installation.ts';

/** As `acceptLoss`, for a log in MongoDB. */
export async function acceptLossInDatabase(uri: string, log: string): Promise<LogRefused | null> {
  const { client, shared, of } = await databasesOf(uri, 'operator');
  try {
    const store = await openMongoEventStore(of(log));
    try {
      return await acceptLossInMongo(shared, of(log), log, store);
    } finally {
      await store.close();
    }
  } finally {
    await client.close();
  }
}
