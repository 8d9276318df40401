import { type Db, MongoClient } from 'mongodb';

export interface MongoDatabases {
  readonly client: MongoClient;
  /** The database that all services share. */
  readonly shared: Db;
  of(service: string): Db;
}

/** `app` is the service's application name in MongoDB. The caller closes the client. */
export async function databasesOf(uri: string, app: string): Promise<MongoDatabases> {
  const client = clientOf(uri, app);
  await client.connect().catch(async (error: unknown) => {
    await client.close();
    throw error;
  });
  // The name of the configured database is the prefix of the services' databases.
  const { dbName } = client.options;
  const base = dbName === 'test' ? 'parlance' : dbName;
  return { client, shared: client.db(base), of: (service) => client.db(`${base}_${service}`) };
}

/** Longer than a command of the product takes, also during an election. The driver repeats most commands once. Its `timeoutMS` has no effect. */
const ANSWER_MILLIS = 60_000;
/** As long as the driver waits for a primary. */
const CONNECTION_MILLIS = 30_000;

/** A client whose operations end, unless the address sets other limits. By default, the driver waits without end. */
export function clientOf(uri: string, app: string): MongoClient {
  const { socketTimeoutMS, waitQueueTimeoutMS } = new MongoClient(uri).options;
  return new MongoClient(uri, {
    appName: `parlance-${app}`,
    socketTimeoutMS: socketTimeoutMS || ANSWER_MILLIS,
    waitQueueTimeoutMS: waitQueueTimeoutMS || CONNECTION_MILLIS,
  });
}
