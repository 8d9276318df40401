import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { database, missing } from '@parlance/testing';
import { Collection, MongoClient } from 'mongodb';
import { accounts, both } from '../../test/accounts.ts';
import { put } from '../changes.ts';
import { firstIdOf } from '../declared.ts';
import { ReadModelBuilding } from '../errors.ts';
import type { ReadModels } from '../read-models.ts';
import { longestWriteMs } from './collections.ts';
import { openMongoReadModels } from './mongo-read-models.ts';

const describeMongo = missing('mongo') ? describe.skip : describe;
const BELIEVED_MS = 500;
const ROWS = 200;

describeMongo('rows in MongoDB that one of two processes drops', () => {
  let server: Awaited<ReturnType<typeof database>>;
  const clients: MongoClient[] = [];
  const opened: ReadModels[] = [];
  const commands: string[] = [];
  const { name } = both[0]!;

  beforeAll(async () => {
    server = await database();
    for (let number = 0; number < 2; number++) clients.push(await new MongoClient(server.uri, { monitorCommands: true }).connect());
    clients[1]!.on('commandStarted', ({ command }) => commands.push(String(command['find'])));
  }, 180_000);
  afterAll(async () => {
    await Promise.all(opened.map((each) => each.close()));
    await Promise.all(clients.map((client) => client.close()));
    await server?.stop();
  });

  async function two(suffix: string, believed = [BELIEVED_MS, BELIEVED_MS]): Promise<readonly [ReadModels, ReadModels]> {
    const models = [];
    for (const [number, client] of clients.entries()) {
      const one = await openMongoReadModels(client, client.db(`${client.db().databaseName}_${suffix}`), {
        believedMs: believed[number]!,
      });
      await one.prepare(both);
      models.push(one);
      opened.push(one);
    }
    const [mine, others] = models as [ReadModels, ReadModels];
    const changes = Array.from({ length: ROWS }, (_, number) => put(accounts, `a${number}`, { owner: 'ann', balance: 0, names: [] }));
    await mine.apply({ from: await mine.progress(name), steps: [{ to: '5', changes }], reached: 1 });
    return [mine, others];
  }

  /** What this process reads while another one drops the rows: the number of rows, or that they are refused. */
  async function seenBy(reader: ReadModels, drop: () => Promise<void>): Promise<ReadonlySet<unknown>> {
    const read = async () => {
      const page = await reader.find(accounts, { index: 'key', limit: ROWS }).catch((error: unknown) => error);
      return page instanceof ReadModelBuilding ? 'refused' : (page as { keys: string[] }).keys.length;
    };
    expect(await read()).toBe(ROWS);
    const over = new AbortController();
    const dropped = drop().finally(() => over.abort());
    const seen = new Set<unknown>();
    while (!over.signal.aborted) seen.add(await read());
    await dropped;
    return seen;
  }

  it('are read in whole or refused by the other, at every moment', async () => {
    const [mine, others] = await two('leaving');
    expect(await seenBy(others, () => mine.drop(name).then(() => mine.prepare(both)))).toEqual(new Set([ROWS, 'refused']));
  });

  it('are read in whole or refused by the other when the write of the mark takes long', async () => {
    const [mine, others] = await two('slow');
    const { findOneAndUpdate } = Collection.prototype;
    const mark = jest.spyOn(Collection.prototype, 'findOneAndUpdate').mockImplementationOnce(async function (
      this: Collection,
      ...command: unknown[]
    ) {
      await pause(2 * BELIEVED_MS);
      return Reflect.apply(findOneAndUpdate, this, command) as null;
    });
    try {
      expect(await seenBy(others, () => mine.drop(name).then(() => mine.prepare(both)))).toEqual(new Set([ROWS, 'refused']));
    } finally {
      mark.mockRestore();
    }
  });

  it('are read in whole or refused by the other when a killed process has marked them, with a time from before a long write', async () => {
    const [, others] = await two('killed');
    const drop = async () => {
      const db = clients[0]!.db(`${clients[0]!.db().databaseName}_killed`);
      const mark = { leaving: true, ready: false, usedAt: Date.now() - 2 * BELIEVED_MS };
      await db.collection('read_model_progress').updateOne({ id: firstIdOf(both[0]!), line: '' }, { $set: mark, $inc: { revision: 1 } });
      const next = await openMongoReadModels(clients[0]!, db, { believedMs: BELIEVED_MS });
      opened.push(next);
      await next.prepare(both);
    };
    expect(await seenBy(others, drop)).toEqual(new Set([ROWS, 'refused']));
  });

  it.each(['reads them', 'fails'])('are refused by a read that began before they were dropped and %s after', async (end) => {
    const [mine, others] = await two(`long_${end.slice(0, 5)}`);
    expect(await others.get(accounts, 'a7')).not.toBeNull();
    const begun = Promise.withResolvers<void>();
    const dropped = Promise.withResolvers<void>();
    const { findOne } = Collection.prototype;
    const read = jest.spyOn(Collection.prototype, 'findOne').mockImplementationOnce(async function (
      this: Collection,
      ...command: unknown[]
    ) {
      begun.resolve();
      await dropped.promise;
      if (end === 'fails') throw new Error('the collection was dropped');
      return Reflect.apply(findOne, this, command) as null;
    });
    try {
      const found = others.get(accounts, 'a7').catch((error: unknown) => error);
      await begun.promise;
      await mine.drop(name);
      dropped.resolve();
      expect(await found).toBeInstanceOf(ReadModelBuilding);
    } finally {
      read.mockRestore();
    }
  });

  it('may be in use for as long as the limits of the client allow a write, which the driver may send twice', () => {
    const limits = { serverSelectionTimeoutMS: 30_000, waitQueueTimeoutMS: 20_000, socketTimeoutMS: 60_000 };
    const limited = (options: object) => longestWriteMs({ options: { ...limits, ...options } as MongoClient['options'] });
    expect([limited({}), limited({ socketTimeoutMS: 0 })]).toEqual([220_000, Infinity]);
  });

  it('stay when another process has dropped and prepared them during the wait', async () => {
    const [mine, others] = await two('both', [5 * BELIEVED_MS, 1]);
    const slow = mine.drop(name);
    await others.drop(name);
    await others.prepare(both);
    const changes = [put(accounts, 'new', { owner: 'zoe', balance: 0, names: [] })];
    await others.apply({ from: await others.progress(name), steps: [{ to: '1', changes }], reached: 1 });
    await slow;
    expect((await others.find(accounts, { index: 'key', limit: ROWS })).keys).toEqual(['new']);
  });

  it('cost no read of their record for a query after a look at all records', async () => {
    const [, others] = await two('idle');
    await others.generationsOfAll!();
    commands.length = 0;
    for (let number = 0; number < 5; number++) await others.get(accounts, 'a1');
    expect(commands.filter((collection) => collection === 'read_model_progress')).toEqual([]);
  });
});
