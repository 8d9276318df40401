import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Decider } from '@parlance/decider';
import {
  type AnswerInElection,
  answerNext,
  answersInElections,
  type Database,
  database,
  findsPrimarySoon,
  missing,
} from '@parlance/testing';
import { MongoAPIError, MongoBulkWriteError, MongoClient } from 'mongodb';
// @ts-expect-error -- the driver exports only its type
import { WriteError } from 'mongodb/lib/bulk/common.js';
import { idle } from '../../test/idle-client.ts';
import { metadata, type Said, said, words } from '../../test/contract/subject.ts';
import { WriteUnconfirmed } from '../append.ts';
import type { EventStore } from '../event-store.ts';
import { execute } from '../execute.ts';
import { openMongoEventStore } from './mongo-event-store.ts';
import { MongoAppender } from './appender.ts';
import { type Collections, idOf } from './documents.ts';
import { isOutage } from './outage.ts';

const describeMongo = missing('mongo') ? describe.skip : describe;

const parrot: Decider<string, Said, number> = { initialState: 0, decide: (word) => [said(word)], evolve: (count) => count + 1 };

const STREAMS = ['one', 'two', 'three'];
const WORDS = ['0', 'during insert', 'during find,getMore', 'during bulkWrite,update', '1', '2'];

/** Repeats work that an outage has ended. Rejects with every other error, and when the client is closed. */
async function persistently<Result>(work: () => Promise<Result>, outages: unknown[]): Promise<Result> {
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (!isOutage(error) || error instanceof MongoAPIError) throw error;
      outages.push(error);
    }
  }
}

/** The words of the first commits of a log, in its order. */
async function follow(store: EventStore, count: number, outages: unknown[]): Promise<string[]> {
  const read: string[] = [];
  while (read.length < count) {
    await store.grown(read.length, AbortSignal.timeout(1_000));
    read.push(...words(await persistently(() => store.readAll(read.length, 2), outages)));
  }
  return read;
}

describeMongo('an election in the middle of appends', () => {
  const app = 'appends';
  let server: Database;
  let client: MongoClient;
  let logs = 0;

  beforeAll(async () => {
    server = await database();
    client = await new MongoClient(server.uri, { appName: app, ...findsPrimarySoon }).connect();
  });
  afterAll(async () => {
    await client?.close();
    await server?.stop();
  });

  it.each(Object.keys(answersInElections) as AnswerInElection[])(
    'writes nothing twice and loses nothing if the server %s',
    async (how) => {
      const db = client.db(`${server.prefix}_elections_${++logs}`);
      const [outages, others]: [unknown[], unknown[]] = [[], []];
      const store = await openMongoEventStore(db, { onError: (error) => (isOutage(error) ? outages : others).push(error) });
      /** The name makes a repetition harmless, as for a policy. */
      const say = (stream: string, command: string) =>
        persistently(() => execute(store, parrot, { stream, command, metadata, once: `${stream}:${command}` }), outages);
      const sayInAll = (word: string) => Promise.all(STREAMS.map((stream) => say(stream, word)));
      const following = follow(store, STREAMS.length * WORDS.length, outages);
      try {
        await sayInAll('0');
        for (const commands of [['insert'], ['find', 'getMore'], ['bulkWrite', 'update']]) {
          await answerNext(client, { app, commands, times: 3, how });
          await sayInAll(`during ${commands.join()}`);
        }
        await sayInAll('1');
        await sayInAll('2');
        expect((await following).sort()).toEqual(STREAMS.flatMap(() => WORDS).sort());
        for (const stream of STREAMS) expect(words((await store.read(stream)).commits)).toEqual(WORDS);
        expect(others).toEqual([]);
        expect(outages.length).toBeGreaterThan(0);
      } finally {
        await store.close();
        await db.dropDatabase();
      }
    },
    30_000,
  );

  it('assigns the position of an append that may have been written no later than the position of the next append', async () => {
    const db = client.db(`${server.prefix}_elections_${++logs}`);
    const store = await openMongoEventStore(db);
    const append = (stream: string) => store.append({ stream, expected: 0, events: [said(stream)], metadata });
    try {
      await append('before');
      await store.positionOf('before', 1);
      await answerNext(client, { app, commands: ['insert'], times: 1, how: 'writes without a majority' });
      await expect(append('unanswered')).rejects.toBeInstanceOf(WriteUnconfirmed);
      await append('after');
      await store.grown(1, AbortSignal.timeout(20_000));
      expect((await store.readAll(1, 1)).map(({ stream }) => stream)).toEqual(['unanswered']);
    } finally {
      await store.close();
      await db.dropDatabase();
    }
  }, 30_000);
});

it('an election in the middle of a group fails only the appends that are not written', async () => {
  const interrupted = new WriteError({ index: 1, code: 11_602, errmsg: 'interrupted' });
  const result = { getWriteConcernError: () => undefined } as never;
  const insertMany = () => Promise.reject(new MongoBulkWriteError({ message: 'bulk', writeErrors: [interrupted] } as never, result));
  const appender = new MongoAppender({ insertMany, db: { client: idle } } as unknown as Collections['commits']);
  const append = (stream: string) => appender.append({ _id: idOf(stream, 1), stream, version: 1, events: stream, metadata: '{}' });
  const [written, lost] = await Promise.allSettled([append('written'), append('lost')]);
  expect(written.status).toBe('fulfilled');
  expect(isOutage((lost as PromiseRejectedResult).reason)).toBe(true);
});
