import { afterAll, afterEach, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { database, missing } from '@parlance/testing';
import { Collection, MongoClient } from 'mongodb';
import { type AccountEvent, accounts, all, atEnd, both, breaking, endAll, oracle, waitUntil, world } from '../../test/accounts.ts';
import { put, remove, update } from '../changes.ts';
import { RebuildRunning } from '../errors.ts';
import { onStage, readModelsContract, type Stage } from '../../test/contract/contract.ts';
import type { RowDocument } from './documents.ts';
import { openMongoReadModels, rebuildForeign } from './mongo-read-models.ts';
import { type Projection, projection } from '../projection.ts';
import { Projector } from '../running/projector.ts';
import type { Batch, ReadModels } from '../read-models.ts';
import type { Change } from '../table.ts';

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
    const models = await openMongoReadModels(one, one.db(name), { believedMs: 100 });
    const opened = [models];
    return {
      models,
      reopen: async () => {
        const again = await openMongoReadModels(other, other.db(name), { believedMs: 100 });
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

  /** Processes of the same projections, on one database. */
  async function running(projections: readonly Projection[], count: number, client = clients) {
    const here = await world();
    const name = `${client[0]!.db().databaseName}_${(stages += 1)}`;
    atEnd(() => client[0]!.db(name).dropDatabase());
    const processes = [];
    for (let number = 0; number < count; number += 1) {
      const one = client[number % client.length]!;
      const models = await openMongoReadModels(one, one.db(name));
      // On a stand-in for a database, on a machine that may be busy.
      const projector = new Projector({ store: here.store, models, projections, patienceMs: 40_000 });
      atEnd(() => models.close());
      atEnd(() => projector.stop());
      await projector.start();
      processes.push({ models, projector });
    }
    return { ...here, processes };
  }

  it('continues projections from several processes, with the same result', async () => {
    const { append, processes } = await running(both, 2);
    const [mine, others] = processes as [(typeof processes)[0], (typeof processes)[0]];
    const commits: { stream: string; events: AccountEvent[] }[] = Array.from({ length: 24 }, (_, number) => ({
      stream: `s${number % 4}`,
      events: [number < 4 ? { type: 'Opened', owner: 'ann' } : { type: 'Deposited', amount: number }],
    }));
    for (const [number, { stream, events }] of commits.entries()) {
      const position = await append(stream, ...events);
      if (number % 3 === 0) expect(await processes[number % 2]!.projector.includes(position)).toEqual({ behind: [] });
    }
    for (const { projector } of processes) expect(await projector.includes(commits.length)).toEqual({ behind: [] });
    expect(await all(mine.models)).toEqual(oracle(commits));
    expect(await mine.projector.verify('accounts')).toEqual({ rows: 4, differing: [] });
    await others.projector.includes(await append('s0', { type: 'Closed' }));
    expect(await all(others.models)).toEqual(oracle([...commits, { stream: 's0', events: [{ type: 'Closed' }] }]));
  }, 120_000);

  it('rebuilds rows in one process, and every process serves the new ones', async () => {
    const { append, processes } = await running(both, 2);
    const [mine, others] = processes as [(typeof processes)[0], (typeof processes)[0]];
    for (let number = 0; number < 20; number += 1) await append(`s${number}`, { type: 'Opened', owner: 'ann' });
    const last = await append('s1', { type: 'Deposited', amount: 3 });
    for (const { projector } of processes) expect(await projector.includes(last)).toEqual({ behind: [] });
    const before = await all(mine.models);
    const rebuilt = mine.projector.rebuild('accounts');
    while ((await others.models.generations('accounts')).length < 2);
    await expect(others.projector.rebuild('accounts')).rejects.toThrow(RebuildRunning);
    expect(await all(others.models)).toEqual(before);
    await rebuilt;
    expect([mine.models.generation('accounts'), await all(mine.models)]).toEqual([1, before]);
    await waitUntil(() => others.models.generation('accounts') === 1);
    expect(await all(others.models)).toEqual(before);
    const position = await append('s1', { type: 'Deposited', amount: 4 });
    for (const { models, projector } of processes) {
      expect(await projector.includes(position)).toEqual({ behind: [] });
      expect((await models.get(accounts, 's1'))?.balance).toBe(7);
    }
  }, 120_000);

  it('sets streams aside and redrives them, whichever process does it', async () => {
    let isBroken = true;
    const parking = breaking((event) => isBroken && event.type === 'Renamed', { onError: 'park' });
    const { append, processes } = await running([parking], 2);
    await append('a', { type: 'Opened', owner: 'ann' }, { type: 'Renamed', owner: 'bob' });
    await append('b', { type: 'Opened', owner: 'zoe' });
    const last = await append('a', { type: 'Renamed', owner: 'cid' });
    for (const { projector } of processes) expect(await projector.includes(last)).toEqual({ behind: [] });
    const [one, other] = processes as [(typeof processes)[0], (typeof processes)[0]];
    expect(await one.models.parked('accounts', 9)).toMatchObject([{ key: 'a', first: 1, count: 1 }]);
    isBroken = false;
    expect(await other.projector.redrive('accounts')).toEqual({ applied: ['a'], parked: [] });
    await one.projector.includes(await append('a', { type: 'Deposited', amount: 5 }));
    expect(await one.models.get(accounts, 'a')).toEqual({ owner: 'cid', balance: 5, names: ['ann', 'bob', 'cid'] });
  }, 60_000);

  it('asks the database three times for a batch, and not at all for commits without changes', async () => {
    const client = await new MongoClient(server.uri, { monitorCommands: true }).connect();
    try {
      const renamed = projection<AccountEvent>({
        name: 'renamed',
        version: 1,
        tables: [accounts],
        on: { Renamed: ({ owner }, { stream }) => [put(accounts, stream, { owner, balance: 0, names: [] })] },
      });
      const { append, processes } = await running([renamed], 1, [client]);
      const { projector } = processes[0]!;
      const commands: string[] = [];
      await projector.includes(await append('a', { type: 'Renamed', owner: 'first' }));
      client.on('commandStarted', ({ commandName }) => commands.push(commandName));
      const ofRows = () => commands.splice(0).filter((name) => !['replace', 'ping', 'find', 'hello'].includes(name));
      await projector.includes(await append('a', { type: 'Renamed', owner: 'second' }));
      expect(ofRows()).toEqual(['update', 'update', 'commitTransaction']);
      await projector.includes(await append('a', { type: 'Deposited', amount: 1 }));
      expect(ofRows()).toEqual([]);
    } finally {
      await endAll();
      await client.close();
    }
  }, 60_000);

  it('asks the database once for the removals, once for the new rows and once for the other rows of a batch', async () => {
    const client = await new MongoClient(server.uri, { monitorCommands: true }).connect();
    const db = client.db(`${server.prefix}_${(stages += 1)}`);
    const models = await openMongoReadModels(client, db);
    try {
      const owner = { name: 'accounts', version: 1, tables: [accounts] };
      await models.prepare([owner]);
      const account = (name: string) => ({ owner: name, balance: 0, names: [] });
      const apply = async (changes: readonly Change[], more: Partial<Batch> = { reached: 0.5 }) =>
        models.apply({ from: await models.progress('accounts'), steps: [{ to: '1', changes }], ...more });
      await apply(['a', 'b'].map((key) => put(accounts, key, account('first'))));
      const commands: string[] = [];
      client.on('commandStarted', ({ commandName, command }) => {
        if (String(command[commandName]).startsWith(accounts.name)) commands.push(commandName);
      });
      await apply(['a', 'c', 'b', 'd'].flatMap((key) => [remove(accounts, `old ${key}`), put(accounts, key, account('second'))]));
      expect(commands).toEqual(['find', 'delete', 'insert', 'update']);
      commands.length = 0;
      await apply([update(accounts, 'e', (row) => row ?? account('second'))]);
      expect(commands).toEqual(['find', 'insert']);
      await apply([], { reached: 1, lines: { partition: '0' } });
      commands.length = 0;
      // Most of the rows exist now, so a look-up would not save anything, neither for the log nor for a partition.
      await apply([put(accounts, 'e', account('second'))], {});
      await apply([put(accounts, 'e', account('second'))], { from: await models.progress('accounts', 'partition') });
      expect(commands).toEqual(['update', 'update']);
      const rows = await db.collection<RowDocument>(`${accounts.name}@v1`).find().sort({ _id: 1 }).toArray();
      expect(rows.map(({ _id, r }) => [_id, r['owner']])).toEqual(['a', 'b', 'c', 'd', 'e'].map((key) => [key, 'second']));
    } finally {
      await models.close();
      await client.close();
    }
  });

  it('replaces a new row that the writer of another line has inserted after it was read', async () => {
    const [one, other] = clients as [MongoClient, MongoClient];
    const name = `${server.prefix}_${(stages += 1)}`;
    const [mine, others] = [await openMongoReadModels(one, one.db(name)), await openMongoReadModels(other, other.db(name))];
    const owner = { name: 'accounts', version: 1, tables: [accounts] };
    const write = async (models: ReadModels, line: string) => {
      const changes = [update(accounts, 'a', () => ({ owner: line, balance: 0, names: [] }))];
      await models.apply({ from: await models.progress('accounts', line), steps: [{ to: '1', changes }] });
    };
    const { bulkWrite } = Collection.prototype;
    const writes = jest.spyOn(Collection.prototype, 'bulkWrite');
    try {
      for (const models of [mine, others]) await models.prepare([owner]);
      await mine.apply({ from: await mine.progress('accounts'), steps: [], lines: { first: '0', second: '0' }, reached: 0.5 });
      writes.mockImplementationOnce(async function (this: Collection, ...command: unknown[]) {
        await write(others, 'second');
        return Reflect.apply(bulkWrite, this, command) as never;
      });
      await write(mine, 'first');
      const row = await one.db(name).collection<RowDocument>(`${accounts.name}@v1`).findOne({ _id: 'a' });
      expect(row?.r['owner']).toBe('first');
    } finally {
      writes.mockRestore();
      for (const models of [mine, others]) await models.close();
      await one.db(name).dropDatabase();
    }
  }, 60_000);

  it('reads only what an election cannot undo', async () => {
    const client = await new MongoClient(server.uri, { monitorCommands: true }).connect();
    try {
      const { append, processes } = await running(both, 1, [client]);
      const { models, projector } = processes[0]!;
      const concerns: unknown[] = [];
      client.on('commandStarted', ({ commandName, command }) => {
        if (/^(find|aggregate)$/.test(commandName) && command['txnNumber'] === undefined) concerns.push(command['readConcern']);
      });
      await projector.includes(await append('a', { type: 'Opened', owner: 'ann' }));
      await all(models);
      await models.get(accounts, 'a');
      await models.parked('accounts', 1);
      expect(concerns.length).toBeGreaterThanOrEqual(3);
      expect(new Set(concerns.map((each) => JSON.stringify(each)))).toEqual(new Set(['{"level":"majority"}']));
    } finally {
      await endAll();
      await client.close();
    }
  }, 60_000);

  it('builds rows again if their collection is missing, and reports it', async () => {
    const [client] = clients as [MongoClient];
    const db = client.db(`${client.db().databaseName}_${(stages += 1)}`);
    const lost: string[] = [];
    const models = async () => {
      const opened = await openMongoReadModels(client, db);
      opened.onLost = (name) => lost.push(name);
      await opened.prepare(both);
      return opened;
    };
    const first = await models();
    const { name } = both[0]!;
    await first.apply({ from: await first.progress(name), steps: [{ to: '5', changes: [] }], reached: 1 });
    const second = await models();
    expect(lost).toEqual([]);
    await db.dropCollection('accounts@v1');
    const third = await models();
    expect(lost).toEqual([name]);
    expect(await third.progress(name)).toMatchObject({ at: '0', ready: false });
    await Promise.all([first, second, third].map((each) => each.close()));
    await db.dropDatabase();
  });

  it('does not remove a record that another process has only begun to prepare', async () => {
    const [client] = clients as [MongoClient];
    const db = client.db(`${client.db().databaseName}_${(stages += 1)}`);
    const lost: string[] = [];
    const first = await openMongoReadModels(client, db);
    await first.prepare(both);
    // The first process has created its record, but not its collection yet.
    await db.dropCollection('accounts@v1');
    const second = await openMongoReadModels(client, db);
    second.onLost = (name) => lost.push(name);
    await second.prepare(both);
    const { name } = both[0]!;
    expect([lost, (await first.progress(name)).revision]).toEqual([[], (await second.progress(name)).revision]);
    await Promise.all([first, second].map((each) => each.close()));
    await db.dropDatabase();
  });

  it('rebuilds read models of other services when requested, and no others', async () => {
    const [client] = clients as [MongoClient];
    const db = client.db(`${client.db().databaseName}_${(stages += 1)}`);
    const first = await openMongoReadModels(client, db);
    await first.prepare(both);
    const [own, foreign] = both.map(({ name }) => name) as [string, string];
    await first.apply({ from: await first.progress(own), steps: [{ to: '5', changes: [] }], reached: 1 });
    const places = [{ to: JSON.stringify({ bots: '5.0' }), changes: [] }];
    await first.apply({ from: await first.progress(foreign), steps: places, reached: 1, lines: { 'parlance.bots/0': '5.0' } });
    await rebuildForeign(client, db);
    const second = await openMongoReadModels(client, db);
    await second.prepare(both);
    expect(await second.progress(own)).toMatchObject({ at: '5', ready: true });
    expect(await second.progress(foreign)).toMatchObject({ at: '0', ready: false });
    expect(await second.lines(foreign)).toEqual(new Map());
    await Promise.all([first, second].map((each) => each.close()));
    await db.dropDatabase();
  });

  it('drops the remains of programs of the last release', async () => {
    const [client] = clients as [MongoClient];
    const db = client.db(`${client.db().databaseName}_${(stages += 1)}`);
    for (const name of ['accounts@1', 'read_model_builds', 'read_model_fences', 'read_model_seen']) await db.createCollection(name);
    const models = await openMongoReadModels(client, db);
    await models.prepare(both);
    expect(await models.sweep(0)).toEqual([]);
    const names = (await db.listCollections({}, { nameOnly: true }).toArray()).map(({ name }) => name);
    expect(names.sort()).toEqual(['accounts@v1', 'read_model_parked', 'read_model_progress', 'totals@v1']);
    await models.close();
    await db.dropDatabase();
  });
});
