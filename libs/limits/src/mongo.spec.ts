import { afterAll, beforeAll, describe } from '@jest/globals';
import { type Database, database, missing } from '@parlance/testing';
import { MongoClient } from 'mongodb';
import { limitRowsContract } from '../test/contract.ts';
import { openMongoLimitRows } from './mongo.ts';

const describeMongo = missing('mongo') ? describe.skip : describe;

describeMongo('rows of limits in MongoDB', () => {
  let server: Database;
  let places = 0;
  beforeAll(async () => {
    server = await database();
  });
  afterAll(() => server.stop());

  limitRowsContract('MongoDB', async () => {
    const name = `${server.prefix}_limits_${++places}`;
    const clients: MongoClient[] = [];
    return {
      async open() {
        const client = await MongoClient.connect(server.uri);
        clients.push(client);
        return openMongoLimitRows(client.db(name));
      },
      async remove() {
        await clients[0]?.db(name).dropDatabase();
        await Promise.all(clients.map((client) => client.close()));
      },
    };
  });
});
