import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Database, database, missing } from '@parlance/testing';
import { MongoClient } from 'mongodb';
import { eventStoreContract } from '../../test/contract/contract.ts';
import { metadata, said, saying } from '../../test/contract/subject.ts';
import type { EventStore } from '../event-store.ts';
import { openMongoEventStore } from './mongo-event-store.ts';
import { type CommitDocument, idOf, type TailDocument } from './documents.ts';
import type { Upcasters } from '../upcasting.ts';

const describeMongo = missing('mongo') ? describe.skip : describe;

describeMongo('with MongoDB', () => {
  let server: Database;
  let client: MongoClient;
  let logs = 0;

  beforeAll(async () => {
    server = await database();
    client = await new MongoClient(server.uri).connect();
  });

  afterAll(async () => {
    await client?.close();
    await server?.stop();
  });

  /** A log in its own database, and stores on it. */
  const newLog = () => {
    const db = client.db(`${server.prefix}_${++logs}`);
    const stores: EventStore[] = [];
    const open = async (upcasters?: Upcasters) => {
      const store = await openMongoEventStore(db, { ...(upcasters && { upcasters }) });
      stores.push(store);
      return store;
    };
    const end = async () => {
      for (const store of stores) await store.close();
      await db.dropDatabase();
    };
    return { db, open, end, commits: db.collection<CommitDocument>('commits'), tail: db.collection<TailDocument>('log_tail') };
  };

  eventStoreContract('MongoDB', async () => {
    const { open, end } = newLog();
    return { store: await open(), again: open, end };
  });

  const stored = (stream: string, version: number, id: string): CommitDocument => ({
    _id: idOf(stream, version),
    stream,
    version,
    events: JSON.stringify([{ id, schema: 1, event: said(id) }]),
    metadata: JSON.stringify(metadata),
    pending: id,
  });

  it('replaces the indexes of earlier releases, and keeps names and positions unique meanwhile', async () => {
    const { open, end, commits } = newLog();
    const partial = (field: string, unique: boolean) =>
      ({ key: { [field]: 1 }, name: field, unique, partialFilterExpression: { [field]: { $exists: true } } }) as const;
    await commits.createIndexes([partial('once', true), partial('position', true), partial('pending', false)]);
    const store = await open();
    expect((await commits.indexes()).map(({ name }) => name).sort()).toEqual(['_id_', 'names', 'positions', 'without position']);
    await store.append(saying('hello', { once: 'name' }));
    await store.positionOf('a', 1);
    await expect(commits.insertOne({ ...stored('b', 1, 'id 1'), once: ['other', 'name'] })).rejects.toThrow('duplicate key');
    await expect(commits.insertOne({ ...stored('b', 1, 'id 1'), position: 1 })).rejects.toThrow('duplicate key');
    await end();
  });

  it('reads a stream that is longer than its first query', async () => {
    const { open, end } = newLog();
    const store = await open();
    for (let version = 1; version <= 70; version++) await store.append(saying(String(version), { expected: version - 1 }));
    const read = async (after: number, count?: number) => {
      const { commits, more } = await store.read('a', after, count);
      return [commits[0]?.version, commits.at(-1)?.version, commits.length, more];
    };
    expect(await Promise.all([read(0), read(0, 64), read(6, 64), read(5, 32), read(38), read(70)])).toEqual([
      [1, 70, 70, false],
      [1, 64, 64, true],
      [7, 70, 64, true],
      [6, 37, 32, true],
      [39, 70, 32, false],
      [undefined, undefined, 0, false],
    ]);
    await end();
  });

  describe('the order of the log', () => {
    it('assigns positions to the commits of a dead process, oldest first, each after its predecessor', async () => {
      const { open, end, commits } = newLog();
      const store = await open();
      // The clock of the process that wrote b's first version was ahead.
      await commits.insertMany([
        stored('a', 1, 'id 2'),
        stored('b', 2, 'id 1'),
        stored('b', 1, 'id 4'),
        stored('c', 1, 'id 3'),
        stored('b', 3, 'id 5'),
      ]);
      await store.positionOf('b', 3);
      expect((await store.readAll(0, 10)).map(({ stream, version }) => `${stream}${version}`)).toEqual(['a1', 'c1', 'b1', 'b2', 'b3']);
      await end();
    });

    it('does not assign a position to a commit before its predecessor exists', async () => {
      const { open, end, commits } = newLog();
      const store = await open();
      await commits.insertMany([stored('a', 2, 'id 1'), stored('b', 1, 'id 2')]);
      await store.positionOf('b', 1);
      expect(await store.head()).toBe(1);
      await commits.insertOne(stored('a', 1, 'id 3'));
      expect([await store.positionOf('a', 2), await store.positionOf('a', 1)]).toEqual([3, 2]);
      await end();
    });

    it('is completed by the next process after one dies, and is read only up to the first gap until then', async () => {
      const { open, end, commits, tail } = newLog();
      const first = await open();
      await first.append({ stream: 'a', expected: 0, events: [said('1')], metadata });
      await first.positionOf('a', 1);
      await first.close();
      const decided = [idOf('b', 1), idOf('a', 2), idOf('c', 1)];
      await commits.insertMany([stored('a', 2, 'id 1'), stored('b', 1, 'id 2'), { ...stored('c', 1, 'id 3'), position: 4 }]);
      await commits.updateOne({ _id: idOf('c', 1) }, { $unset: { pending: '' } });
      await tail.updateOne({ _id: 'tail' }, { $set: { batch: 2, first: 2, commits: decided } });
      expect((await first.readAll(0, 10)).map(({ position }) => position)).toEqual([1]);
      expect(await first.head()).toBe(1);

      const second = await open();
      expect(await second.positionOf('c', 1)).toBe(4);
      expect((await second.readAll(0, 10)).map(({ stream }) => stream)).toEqual(['a', 'b', 'a', 'c']);
      expect(await second.head()).toBe(4);
      await end();
    });
  });
});
