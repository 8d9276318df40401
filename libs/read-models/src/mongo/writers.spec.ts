import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { type Database, database, missing, waitFor } from '@parlance/testing';
import { type ClientSession, MongoClient } from 'mongodb';
import { both } from '../../test/accounts.ts';
import { openMongoReadModels } from './mongo-read-models.ts';
import { MongoWriters } from './writers.ts';

const describeMongo = missing('mongo') ? describe.skip : describe;
const OFTEN_MS = 30;
/** For writers that look at others: rarely enough that a slow writer on a busy machine sends a beat between two looks. */
const RARELY_MS = 300;
/** For writers that announce themselves once and then send no beat, as if they had crashed. */
const NEVER_MS = 1_000_000;

interface Counter {
  readonly _id: string;
  readonly count: number;
}

describeMongo('the writers of read models in MongoDB', () => {
  let server: Database;
  let client: MongoClient;
  const opened: MongoWriters[] = [];
  const undone: (() => void)[] = [];

  beforeAll(async () => {
    server = await database();
    client = await new MongoClient(server.uri).connect();
  }, 180_000);
  afterEach(async () => {
    for (const goOn of undone.splice(0)) goOn();
    await Promise.all(opened.splice(0).map((writers) => writers.close()));
  });
  afterAll(async () => {
    await client?.close();
    await server?.stop();
  });

  let places = 0;
  const place = async () => {
    const db = client.db(`${server.prefix}_writers_${(places += 1)}`);
    const counters = db.collection<Counter>('counters');
    await counters.insertOne({ _id: 'one', count: 0 });
    return { db, counters };
  };
  const open = (db: ReturnType<MongoClient['db']>, beatMs: number) => {
    const writers = new MongoWriters(client, db, beatMs);
    opened.push(writers);
    return writers;
  };

  /** Writes, and then stops in the middle of its transaction until it is released. */
  async function stuck(
    { db, counters }: Awaited<ReturnType<typeof place>>,
    beatMs: number,
    write = (session: ClientSession): Promise<unknown> => counters.updateOne({ _id: 'one' }, { $inc: { count: 1 } }, { session }),
    writers = open(db, beatMs),
  ) {
    const { promise: gate, resolve: goOn } = Promise.withResolvers<void>();
    const { promise: begun, resolve: begin } = Promise.withResolvers<void>();
    undone.push(goOn);
    let tries = 0;
    const end = writers.transact(async (session) => {
      tries += 1;
      await write(session);
      begin();
      await gate;
    });
    end.catch(() => undefined);
    await begun;
    return { goOn, end, tries: () => tries };
  }

  const add = (writers: MongoWriters, { counters }: Awaited<ReturnType<typeof place>>) =>
    writers.transact((session) => counters.updateOne({ _id: 'one' }, { $inc: { count: 10 } }, { session }));

  /** Long before the server ends a transaction itself, which is after a minute. */
  const soon = async (work: Promise<unknown>, what: string) => {
    let isOver = false;
    const over = () => void (isOver = true);
    work.then(over, over);
    await waitFor(() => isOver, { timeout: 10_000, what });
    await work;
  };

  it('continue when another one has died in the middle of a transaction', async () => {
    const here = await place();
    const dead = await stuck(here, NEVER_MS);
    await add(open(here.db, OFTEN_MS), here);
    expect(await here.counters.findOne({ _id: 'one' })).toEqual({ _id: 'one', count: 10 });
    // It had not crashed: its transaction was aborted, so it runs again.
    dead.goOn();
    await dead.end;
    expect(dead.tries()).toBeGreaterThan(1);
    expect(await here.counters.findOne({ _id: 'one' })).toEqual({ _id: 'one', count: 11 });
  }, 20_000);

  it('continue when another one has died in two transactions, of which the second had just begun', async () => {
    const here = await place();
    const writers = open(here.db, NEVER_MS);
    const first = await stuck(here, NEVER_MS, async () => undefined, writers);
    const second = await stuck(here, NEVER_MS, undefined, writers);
    await soon(add(open(here.db, OFTEN_MS), here), 'the session of the second transaction to be ended');
    expect(await here.counters.findOne({ _id: 'one' })).toEqual({ _id: 'one', count: 10 });
    for (const { goOn, end } of [first, second]) {
      goOn();
      await end;
    }
    expect(await here.counters.findOne({ _id: 'one' })).toEqual({ _id: 'one', count: 11 });
  }, 20_000);

  it('free with their next transaction what a commit without an answer has locked', async () => {
    const here = await place();
    const app = 'unanswered commit';
    const its = await new MongoClient(server.uri, { appName: app }).connect();
    const writers = new MongoWriters(its, its.db(here.db.databaseName), NEVER_MS);
    opened.push(writers);
    const counters = its.db(here.db.databaseName).collection<Counter>('counters');
    const increase = () => writers.transact((session) => counters.updateOne({ _id: 'one' }, { $inc: { count: 1 } }, { session }));
    try {
      // Two sessions, of which the next transactions can choose.
      const bothBegun = Promise.withResolvers<void>();
      let begun = 0;
      const begin = () =>
        writers.transact(() => {
          if (++begun === 2) bothBegun.resolve();
          return bothBegun.promise;
        });
      await Promise.all([begin(), begin()]);
      // The driver does not repeat a commit that exceeded its time limit.
      const data = { failCommands: ['commitTransaction'], appName: app, errorCode: 50 };
      await client.db('admin').command({ configureFailPoint: 'failCommand', mode: { times: 1 }, data });
      await expect(increase()).rejects.toMatchObject({ code: 50 });
      await soon(increase(), 'the transaction after the commit without an answer');
      expect(await here.counters.findOne({ _id: 'one' })).toEqual({ _id: 'one', count: 1 });
    } finally {
      await its.close();
    }
  }, 20_000);

  it('do not disturb writers that are only slow', async () => {
    const here = await place();
    const slow = await stuck(here, OFTEN_MS);
    let isOver = false;
    const adding = add(open(here.db, RARELY_MS), here).finally(() => (isOver = true));
    await new Promise((resolve) => setTimeout(resolve, 6 * RARELY_MS));
    expect(isOver).toBe(false);
    slow.goOn();
    await Promise.all([slow.end, adding]);
    expect(slow.tries()).toBe(1);
    expect(await here.counters.findOne({ _id: 'one' })).toEqual({ _id: 'one', count: 11 });
  }, 20_000);

  it('send nothing while they write nothing, and show themselves again when they write', async () => {
    const here = await place();
    const writers = open(here.db, OFTEN_MS);
    const shown = here.db.collection<{ _id: string; beat: string }>('read_model_writers');
    await add(writers, here);
    const beats = async () => (await shown.find().toArray()).map(({ beat }) => beat);
    let before: readonly string[] = [];
    const isQuiet = async () => {
      before = await beats();
      await new Promise((resolve) => setTimeout(resolve, 5 * OFTEN_MS));
      return (await beats()).join() === before.join();
    };
    await waitFor(isQuiet, { what: 'the beats to end' });
    await new Promise((resolve) => setTimeout(resolve, 10 * OFTEN_MS));
    expect(await beats()).toEqual(before);
    // As another process does with one that shows no beat.
    await shown.deleteMany({});
    await writers.transact(async (session) => {
      expect(await shown.countDocuments()).toBe(1);
      await here.counters.updateOne({ _id: 'one' }, { $inc: { count: 10 } }, { session });
    });
    expect(await here.counters.findOne({ _id: 'one' })).toEqual({ _id: 'one', count: 20 });
  });

  it('free a write without a transaction that a dead one blocks', async () => {
    const here = await place();
    const dead = await stuck(here, NEVER_MS);
    const writers = open(here.db, OFTEN_MS);
    await writers.watching(async () => {
      await waitFor(async () => (await here.db.collection('read_model_writers').countDocuments({ sessions: { $ne: [] } })) === 0, {
        what: 'the sessions of the dead writer to be ended',
      });
    });
    dead.goOn();
    await dead.end;
    expect(dead.tries()).toBeGreaterThan(1);
  }, 20_000);

  it('free a record that a dead one has locked when a process starts', async () => {
    const here = await place();
    const [first, second] = [await openMongoReadModels(client, here.db), await openMongoReadModels(client, here.db)];
    await first.prepare(both);
    const dead = await stuck(here, NEVER_MS, (session) =>
      here.db.collection('read_model_progress').updateMany({}, { $inc: { revision: 1 } }, { session }),
    );
    await second.prepare(both);
    dead.goOn();
    await dead.end;
    expect(dead.tries()).toBeGreaterThan(1);
    await Promise.all([first.close(), second.close()]);
  }, 20_000);

  it('end no sessions of a process that has none', async () => {
    const here = await place();
    const shown = here.db.collection<{ _id: string; beat: string; sessions: unknown[] }>('read_model_writers');
    // As an earlier release wrote it.
    await shown.insertOne({ _id: 'idle', beat: 'b', sessions: [] });
    const watched = await new MongoClient(server.uri, { monitorCommands: true }).connect();
    const commands: string[] = [];
    watched.on('commandStarted', ({ commandName }) => commands.push(commandName));
    const writers = new MongoWriters(watched, watched.db(here.db.databaseName), OFTEN_MS);
    opened.push(writers);
    await writers.watching(() =>
      waitFor(async () => (await shown.countDocuments({ _id: 'idle' })) === 0, { what: 'the removal of the silent process' }),
    );
    expect(await shown.countDocuments()).toBe(0);
    expect(commands).not.toContain('killSessions');
    await writers.close();
    await watched.close();
  }, 20_000);

  it('forget each other when they stop', async () => {
    const here = await place();
    const writers = open(here.db, OFTEN_MS);
    await add(writers, here);
    expect(await here.db.collection('read_model_writers').countDocuments()).toBe(1);
    await writers.close();
    expect(await here.db.collection('read_model_writers').countDocuments()).toBe(0);
  });
});
