import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Instant } from '@parlance/decider';
import { newId } from '@parlance/event-store';
import { openMongoEventStore } from '@parlance/event-store/mongo';
import { type Database, database, missing } from '@parlance/testing';
import { type Db, MongoClient } from 'mongodb';
import { acceptLossInDatabase } from './accept-loss-in-database.ts';
import { LogRefused, RestoreUnfinished } from './mark.ts';
import { markRestore, unmarkRestore } from './mongo-restore-mark.ts';
import { acceptLossInMongo, MongoInstallation, refusalInMongo } from './mongo-installation.ts';

const describeMongo = missing('mongo') ? describe.skip : describe;
const metadata = {
  at: Instant.ofMillis(1),
  actor: null,
  ip: null,
  userAgent: null,
  requestId: 'r',
  correlationId: 'c',
  causationId: null,
};

describeMongo('the installation in MongoDB', () => {
  let server: Database;
  let client: MongoClient;
  let shared: Db;
  let own: Db;
  let databases = 0;

  beforeAll(async () => {
    server = await database();
    client = await new MongoClient(server.uri).connect();
  });
  afterAll(async () => {
    await client?.close();
    await server?.stop();
  });
  beforeEach(() => {
    const name = `${server.prefix}_${++databases}`;
    [shared, own] = [client.db(name), client.db(`${name}_identity`)];
  });
  afterEach(async () => {
    await shared.dropDatabase();
    await own.dropDatabase();
  });

  const append = async (commits: number) => {
    const store = await openMongoEventStore(own);
    for (let each = 0; each < commits; each++) {
      const stream = newId();
      const { version } = await store.append({ stream, expected: 0, events: [{ type: 'Happened' }], metadata });
      await store.positionOf(stream, version);
    }
    await store.close();
  };
  /** Starts and stops once. */
  const run = async () => {
    const store = await openMongoEventStore(own);
    try {
      const installation = await MongoInstallation.open({ shared, own }, 'identity', store);
      await installation.close();
      return installation.id;
    } finally {
      await store.close();
    }
  };
  const used = async () => {
    await run();
    await append(3);
    return run();
  };
  const line = async (work: Promise<unknown>) => {
    const error = await work.then(
      () => null,
      (thrown: unknown) => thrown,
    );
    expect(error).toBeInstanceOf(LogRefused);
    return (error as LogRefused).message;
  };

  it('starts again with the same ID', async () => {
    const id = await used();
    expect(await run()).toBe(id);
  });
  it('adopts a log that is older than installation IDs', async () => {
    await append(2);
    await run();
    expect(await shared.collection<{ _id: string; position: number }>('installation_marks').findOne({ _id: 'identity' })).toMatchObject({
      position: 2,
    });
  });
  it('refuses a missing database', async () => {
    await used();
    await own.dropDatabase();
    expect(await line(run())).toMatch(
      /^the data of identity \(database .*_identity\) are missing, and reached commit 3 before: restore the database/,
    );
  });
  it('refuses the database of another installation', async () => {
    await used();
    await own.collection('installation').updateOne({}, { $set: { installation: 'theirs' } });
    expect(await line(run())).toMatch(/belong to another installation \(theirs/);
  });
  it('refuses an older database', async () => {
    await used();
    await shared.collection<{ _id: string }>('installation_marks').updateOne({ _id: 'identity' }, { $set: { position: 9 } });
    expect(await line(run())).toMatch(/end at commit 3, but reached commit 9 before/);
  });
  it('refuses a database that another installation has continued', async () => {
    await used();
    await shared.collection<{ _id: string }>('installation_marks').updateOne({ _id: 'identity' }, { $set: { commit: 'other' } });
    expect(await line(run())).toMatch(/have a different commit 3 than before/);
  });
  it('refuses to start if the shared database is missing', async () => {
    await used();
    await shared.dropDatabase();
    expect(await line(run())).toMatch(/lack the ID of the installation/);
  });
  it('refuses to start and to accept a loss until a restore has finished', async () => {
    await used();
    await markRestore(shared);
    await shared.collection('installation').drop();
    await expect(run()).rejects.toThrow(/^a restore was begun at \S+ and has not finished: .*run the same restore again/);
    const store = await openMongoEventStore(own);
    await expect(acceptLossInMongo({ shared, own }, 'identity', store)).rejects.toThrow(RestoreUnfinished);
    expect(await refusalInMongo({ shared, own }, 'identity')).toBeInstanceOf(RestoreUnfinished);
    expect(await shared.collection('installation').countDocuments()).toBe(0);
    await unmarkRestore(shared);
    expect((await acceptLossInMongo({ shared, own }, 'identity', store))?.reason).toMatch(/lack the ID/);
    await store.close();
  });
  it('continues with the remaining data after the loss was accepted', async () => {
    await used();
    await own.dropDatabase();
    const store = await openMongoEventStore(own);
    expect((await acceptLossInMongo({ shared, own }, 'identity', store))?.reason).toMatch(/missing/);
    expect(await acceptLossInMongo({ shared, own }, 'identity', store)).toBeNull();
    await store.close();
    await run();
  });
  it('accepts no loss of an intact log, even if its newest event is of a form that only its service knows', async () => {
    await used();
    const newest = own.collection<{ events: string }>('commits');
    const { _id, events } = (await newest.findOne({ position: 3 }))!;
    const [event] = JSON.parse(events) as object[];
    await newest.updateOne({ _id }, { $set: { events: JSON.stringify([{ ...event, schema: 2 }]) } });
    const address = new URL(server.uri);
    address.pathname = `/${shared.databaseName}`;
    expect(await acceptLossInDatabase(address.href, 'identity', [])).toBeNull();
  });
  it('keeps the ID of the log when the loss of the shared database is accepted', async () => {
    const id = await used();
    await shared.dropDatabase();
    const store = await openMongoEventStore(own);
    expect((await acceptLossInMongo({ shared, own }, 'identity', store))?.reason).toMatch(/lack the ID/);
    await store.close();
    expect(await run()).toBe(id);
  });
  it('is created once by processes that start at the same time', async () => {
    const ids = await Promise.all([run(), run(), run()]);
    expect(new Set(ids).size).toBe(1);
    await append(2);
    await Promise.all([run(), run()]);
  });
});
