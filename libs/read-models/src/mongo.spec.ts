import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { database, missing } from '@parlance/testing';
import { MongoClient } from 'mongodb';
import { type AccountEvent, all, atEnd, both, endAll, oracle, world } from '../test/accounts.ts';
import { onStage, readModelsContract, type Stage } from './contract.ts';
import { openMongoReadModels } from './mongo.ts';
import { Projector } from './projector.ts';

const describeMongo = missing('mongo') ? describe.skip : describe;

describeMongo('read models in MongoDB', () => {
  let server: Awaited<ReturnType<typeof database>>;
  const clients: MongoClient[] = [];
  let stages = 0;

  beforeAll(async () => {
    server = await database();
    for (let number = 0; number < 2; number += 1) clients.push(await new MongoClient(server.uri).connect());
  }, 180_000);
  afterEach(endAll);
  afterAll(async () => {
    await Promise.all(clients.map((client) => client.close()));
    await server?.stop();
  });

  async function open(): Promise<Stage> {
    const [one, other] = clients as [MongoClient, MongoClient];
    const name = `${one.db().databaseName}_${(stages += 1)}`;
    const models = await openMongoReadModels(one, one.db(name));
    const opened = [models];
    return {
      models,
      reopen: async () => {
        const again = await openMongoReadModels(other, other.db(name));
        opened.push(again);
        return again;
      },
      close: async () => {
        await Promise.all(opened.map((each) => each.close()));
        await one.db(name).dropDatabase();
      },
    };
  }

  for (const [name, run] of Object.entries(readModelsContract)) it(name, () => onStage(open, run), 60_000);

  it('carries projections on from several processes, and rebuilds them alike', async () => {
    const [one, other] = clients as [MongoClient, MongoClient];
    const name = `${one.db().databaseName}_${(stages += 1)}`;
    const { append, store } = await world();
    const processes = await Promise.all(
      [one, other].map(async (client) => {
        const models = await openMongoReadModels(client, client.db(name));
        // Two who write to a stand-in for a database, on a machine that may be busy: patience is not what is tried here.
        const projector = new Projector({ store, models, projections: both, patienceMs: 40_000 });
        atEnd(() => models.close());
        atEnd(() => projector.stop());
        await projector.start();
        return { models, projector };
      }),
    );
    const [mine, others] = processes as [(typeof processes)[0], (typeof processes)[0]];
    const commits: { stream: string; events: AccountEvent[] }[] = Array.from({ length: 24 }, (_, number) => ({
      stream: `s${number % 4}`,
      events: [number < 4 ? { type: 'Opened', owner: 'ann' } : { type: 'Deposited', amount: number }],
    }));
    for (const [number, { stream, events }] of commits.entries()) {
      const { projector } = processes[number % 2]!;
      const position = await append(stream, ...events);
      if (number % 3 === 0) await projector.includes(position);
    }
    await Promise.all(processes.map(({ projector }) => projector.includes(commits.length)));
    expect(await all(mine.models)).toEqual(oracle(commits));
    expect(await mine.projector.rebuild('accounts')).toEqual({ rows: 4, differing: [] });
    await others.projector.includes(await append('s0', { type: 'Closed' }));
    expect(await all(others.models)).toEqual(oracle([...commits, { stream: 's0', events: [{ type: 'Closed' }] }]));
    await one.db(name).dropDatabase();
  }, 60_000);
});
