import { type Db, MongoClient } from 'mongodb';

export interface MongoDatabases {
  readonly client: MongoClient;
  /** The database that all services share. */
  readonly shared: Db;
  of(service: string): Db;
}

/** `app` is the service's application name in MongoDB. The caller closes the client. */
export async function databasesOf(uri: string, app: string): Promise<MongoDatabases> {
  const client = new MongoClient(uri, { appName: `parlance-${app}` });
  await client.connect().catch(async (error: unknown) => {
    await client.close();
    throw error;
  });
  // The name of the configured database is the prefix of the services' databases.
  const { dbName } = client.options;
  const base = dbName === 'test' ? 'parlance' : dbName;
  return { client, shared: client.db(base), of: (service) => client.db(`${base}_${service}`) };
}
