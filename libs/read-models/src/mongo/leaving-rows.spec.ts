import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { database, missing } from '@parlance/testing';
import { MongoClient } from 'mongodb';
import { accounts, both } from '../../test/accounts.ts';
import { put } from '../changes.ts';
import { ReadModelBuilding } from '../errors.ts';
import type { ReadModels } from '../read-models.ts';
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

  it('are read in whole or refused by the other, at every moment', async () => {
    const [mine, others] = await two('leaving');
    const read = async () => {
      const page = await others.find(accounts, { index: 'key', limit: ROWS }).catch((error: unknown) => error);
      return page instanceof ReadModelBuilding ? 'refused' : (page as { keys: string[] }).keys.length;
    };
    expect(await read()).toBe(ROWS);
    const over = new AbortController();
    const dropped = mine
      .drop(name)
      .then(() => mine.prepare(both))
      .finally(() => over.abort());
    const seen = new Set<unknown>();
    while (!over.signal.aborted) seen.add(await read());
    await dropped;
    expect(seen).toEqual(new Set([ROWS, 'refused']));
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
