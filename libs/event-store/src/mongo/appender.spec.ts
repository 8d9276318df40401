import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { type AnswerInElection, answerNext, answersInElections, type Database, database, missing } from '@parlance/testing';
import { MongoBulkWriteError, MongoClient } from 'mongodb';
import { idle } from '../../test/idle-client.ts';
import { VersionConflict, WriteUnconfirmed } from '../append.ts';
import { MongoAppender } from './appender.ts';
import { isOutage } from './outage.ts';
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
      const appender = new MongoAppender({ insertMany, db: { client: idle } } as unknown as Collections['commits']);
      const appends = ['t1', 't2', 't3'].map((stream) => appender.append(document(stream)));
      expect(schedule).toHaveBeenCalledTimes(1);
      await Promise.all(appends);
      expect(insertMany.mock.calls.map(([documents]) => documents.length)).toEqual([3]);
    } finally {
      schedule.mockRestore();
    }
  });

  it('are unconfirmed and sent once if a majority does not confirm the group, also when the server refuses one of them', async () => {
    const result = { getWriteConcernError: () => ({ code: 64, errmsg: 'waiting for replication timed out' }) };
    const refused = { index: 0, code: 121, errmsg: 'Document failed validation' };
    const insertMany = jest.fn(async (_: readonly CommitDocument[]) => {
      throw new MongoBulkWriteError({ message: 'bulk', code: 121, writeErrors: [refused] } as never, result as never);
    });
    const session = { serverSession: { txnNumber: 0 }, endSession: async () => undefined };
    const db = { client: { options: { retryWrites: false }, startSession: () => session } };
    const appender = new MongoAppender({ insertMany, db } as unknown as Collections['commits']);
    const outcomes = await Promise.allSettled(['u1', 'u2', 'u3'].map((stream) => appender.append(document(stream))));
    expect(outcomes.map((outcome) => ('reason' in outcome ? outcome.reason : outcome))).toEqual(
      Array(3).fill(expect.any(WriteUnconfirmed)),
    );
    expect(insertMany).toHaveBeenCalledTimes(1);
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

  describe('without a confirmation', () => {
    /** Passes on connections until it is shut, which is at once or when the answer to an insert arrives. */
    const gate = async () => {
      const { hosts } = new MongoClient(server.uri).options;
      const sockets = new Set<Socket>();
      let awaitsInsert = false;
      const passing = createServer((socket) => {
        const onward = connect(hosts[0]!.port!, hosts[0]!.host);
        let isInserting = false;
        socket.on('data', (bytes) => {
          isInserting = awaitsInsert && bytes.includes('insert\0');
          onward.write(bytes);
        });
        onward.on('data', (bytes) => (isInserting ? shut() : socket.write(bytes)));
        for (const each of [socket, onward]) {
          sockets.add(each);
          each.on('error', () => undefined).on('close', () => (socket.destroy(), onward.destroy()));
        }
      }).listen(0, '127.0.0.1');
      await once(passing, 'listening');
      const shut = () => {
        passing.close();
        for (const socket of sockets) socket.destroy();
      };
      const { port } = passing.address() as AddressInfo;
      const uri = new URL(server.uri);
      const its = await new MongoClient(`mongodb://127.0.0.1:${port}${uri.pathname}`, {
        directConnection: true,
        serverSelectionTimeoutMS: 500,
      }).connect();
      const commits = its.db(collections.commits.dbName).collection<CommitDocument>('commits');
      return { appender: new MongoAppender(commits), its, shut, shutAtInsert: () => void (awaitsInsert = true), end: () => its.close() };
    };
    const failureOf = (append: Promise<unknown>): Promise<unknown> =>
      append.then(
        () => null,
        (error: unknown) => error,
      );

    it('may have been written if the database is gone before its answer arrives', async () => {
      const { appender, shutAtInsert, end } = await gate();
      try {
        shutAtInsert();
        const failure = await failureOf(appender.append(document('unanswered')));
        expect(failure).toBeInstanceOf(WriteUnconfirmed);
        expect(isOutage(failure)).toBe(true);
        expect(await collections.commits.countDocuments({ stream: 'unanswered' })).toBe(1);
      } finally {
        await end();
      }
    });

    it('are not written if the database was gone before', async () => {
      const { appender, its, shut, end } = await gate();
      try {
        const noticed = once(its, 'serverHeartbeatFailed');
        shut();
        await noticed;
        const failure = await failureOf(appender.append(document('unsent')));
        expect(failure).not.toBeInstanceOf(WriteUnconfirmed);
        expect(isOutage(failure)).toBe(true);
      } finally {
        await end();
      }
    });

    it.each(Object.keys(answersInElections) as AnswerInElection[])('may have been written if the server %s', async (how) => {
      const app = `append ${how}`;
      const its = await new MongoClient(server.uri, { appName: app }).connect();
      try {
        const appender = new MongoAppender(its.db(collections.commits.dbName).collection<CommitDocument>('commits'));
        await answerNext(client, { app, commands: ['insert'], times: 2, how });
        expect(await failureOf(appender.append(document(how)))).toBeInstanceOf(WriteUnconfirmed);
      } finally {
        await its.close();
      }
    });

    it('are not written if the server says so', async () => {
      const app = 'append nothing';
      const its = await new MongoClient(server.uri, { appName: app }).connect();
      try {
        const appender = new MongoAppender(its.db(collections.commits.dbName).collection<CommitDocument>('commits'));
        const data = {
          failCommands: ['insert'],
          appName: app,
          errorCode: 10_107,
          errorLabels: ['RetryableWriteError', 'NoWritesPerformed'],
        };
        await client.db('admin').command({ configureFailPoint: 'failCommand', mode: { times: 2 }, data });
        const failure = await failureOf(appender.append(document('nothing')));
        expect(failure).not.toBeInstanceOf(WriteUnconfirmed);
        expect(isOutage(failure)).toBe(true);
      } finally {
        await its.close();
      }
    });
  });
});
