import { afterAll, beforeAll, describe } from '@jest/globals';
import { type Database, database, missing } from '@parlance/testing';
import { MongoClient } from 'mongodb';
import { watcherRegistryContract } from '../test/contract.ts';
import { openMongoWatcherRegistry } from './mongo.ts';

const describeMongo = missing('mongo') ? describe.skip : describe;

describeMongo('watchers in MongoDB', () => {
  let server: Database;
  let places = 0;
  beforeAll(async () => {
    server = await database();
  });
  afterAll(() => server.stop());

  watcherRegistryContract('MongoDB', async () => {
    const name = `${server.prefix}_watchers_${++places}`;
    const clients: MongoClient[] = [];
    return {
      async open() {
        const client = await MongoClient.connect(server.uri);
        clients.push(client);
        return openMongoWatcherRegistry(client.db(name));
      },
      async remove() {
        await clients[0]?.db(name).dropDatabase();
        await Promise.all(clients.map((client) => client.close()));
      },
    };
  });
});
