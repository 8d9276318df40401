import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { type Database, database, missing } from '@parlance/testing';
import { MongoClient } from 'mongodb';
import { VersionConflict } from '../append.ts';
import { MongoAppender } from './appender.ts';
import { type Collections, type CommitDocument, idOf, openCollections } from './documents.ts';

const describeMongo = missing('mongo') ? describe.skip : describe;

describeMongo('appends to MongoDB in one group', () => {
  let server: Database;
  let client: MongoClient;
  let collections: Collections;

  beforeAll(async () => {
    server = await database();
    client = await new MongoClient(server.uri).connect();
    collections = await openCollections(client.db(`${server.prefix}_group`));
  });
  afterAll(async () => {
    await client?.close();
    await server?.stop();
  });

  const document = (stream: string, more: Partial<CommitDocument> = {}): CommitDocument => ({
    _id: idOf(stream, 1),
    stream,
    version: 1,
    events: JSON.stringify(stream),
    metadata: '{}',
    pending: stream,
    ...more,
  });

  it('are sent once for all appends of one turn of the event loop', async () => {
    const schedule = jest.spyOn(globalThis, 'setImmediate');
    try {
      const insertMany = jest.fn(async (_: readonly CommitDocument[]) => ({}));
      const appender = new MongoAppender({ insertMany } as unknown as Collections['commits']);
      const appends = ['t1', 't2', 't3'].map((stream) => appender.append(document(stream)));
      expect(schedule).toHaveBeenCalledTimes(1);
      await Promise.all(appends);
      expect(insertMany.mock.calls.map(([documents]) => documents.length)).toEqual([3]);
    } finally {
      schedule.mockRestore();
    }
  });

  it('fail independently: one that is too large or invalid does not affect the others', async () => {
    const appender = new MongoAppender(collections.commits);
    await appender.append(document('before', { once: 'used' }));
    const group = [
      document('one'),
      document('large', { metadata: 'x'.repeat(17_000_000) }),
      document('two', { once: ['new', 'newer'] }),
      document('named', { once: ['used', 'unused'] }),
      document('invalid', { _id: 'a'.repeat(8) + '@0000000002', version: 2 }),
      document('three'),
    ];
    const outcomes = await Promise.allSettled(group.map((one) => appender.append(one)));
    expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled', 'fulfilled', 'rejected', 'fulfilled']);
    expect(outcomes[3]).toMatchObject({ value: [{ name: 'used', stream: 'before', version: 1 }] });
    expect(outcomes[4]).toMatchObject({ reason: expect.any(VersionConflict) });
    const written = await collections.commits.find({}, { projection: { stream: 1 }, sort: { _id: 1 } }).toArray();
    expect(written.map(({ stream }) => stream)).toEqual(['before', 'one', 'three', 'two']);
  });

  it('fail independently if the server refuses one of them', async () => {
    const commits = collections.commits;
    const appender = new MongoAppender(commits);
    await client.db(commits.dbName).command({ collMod: 'commits', validator: { stream: { $ne: 'forbidden' } } });
    const group = ['x1', 'forbidden', 'x2'].map((stream) => appender.append(document(stream)));
    const outcomes = await Promise.allSettled(group);
    expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    await client.db(commits.dbName).command({ collMod: 'commits', validator: {} });
  });
});
