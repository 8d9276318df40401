import { afterAll, beforeAll, describe } from '@jest/globals';
import { type Database, database, missing } from '@parlance/testing';
import { MongoClient } from 'mongodb';
import { subjectKeysContract } from '../test/contract.ts';
import { openMongoSubjectKeys } from './mongo.ts';

const describeMongo = missing('mongo') ? describe.skip : describe;

describeMongo('keys in MongoDB', () => {
  let server: Database;
  let places = 0;
  beforeAll(async () => {
    server = await database();
  });
  afterAll(() => server.stop());

  subjectKeysContract('MongoDB', async () => {
    const name = `keys_${process.pid}_${++places}`;
    let client = await MongoClient.connect(server.uri);
    return {
      open: (master, options) => openMongoSubjectKeys(client.db(name), master, options),
      async commit(companions) {
        for (const companion of companions) companion(undefined as never);
      },
      async restart() {
        await client.close();
        client = await MongoClient.connect(server.uri);
      },
      async remove() {
        await client.db(name).dropDatabase();
        await client.close();
      },
    };
  });
});
