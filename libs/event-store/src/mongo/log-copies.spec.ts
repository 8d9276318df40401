import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { Instant } from '@parlance/decider';
import { database, type Database, missing, patience } from '@parlance/testing';
import { Collection, type CommandSucceededEvent, type Db, MongoClient } from 'mongodb';
import type { EventStore } from '../event-store.ts';
import { newId } from '../new-id.ts';
import type { CommitDocument, TailDocument } from './documents.ts';
import { commitsOf, cutLogs, restoreLog, storedLog } from './log-copies.ts';
import { openMongoEventStore } from './mongo-event-store.ts';

const describeMongo = missing('mongo') ? describe.skip : describe;
const LONGEST = patience(60_000);
const at = Instant.parse('2026-01-01T00:00:00Z');
const metadata = { at, actor: null, ip: null, userAgent: null, requestId: 'r', correlationId: 'r', causationId: null };
const later = () => new Date(Date.now() + 3_600_000);

const append = (store: EventStore, stream: string, expected: number, once?: string) =>
  store.append({
    stream,
    expected,
    events: [{ type: 'Counted' }],
    metadata,
    ...(once !== undefined && { once: [once] }),
  });

describeMongo('copies of logs', () => {
  let server: Database;
  let client: MongoClient;
  const [stores, dbs]: [EventStore[], Db[]] = [[], []];
  beforeAll(async () => {
    server = await database();
    client = await new MongoClient(server.uri, { monitorCommands: true }).connect();
  }, LONGEST);
  afterAll(async () => {
    for (const store of stores) await store.close();
    for (const db of dbs) await db.dropDatabase();
    await client?.close();
    await server?.stop();
  });

  const fresh = () => {
    const db = client.db(`copies_${newId().toLowerCase()}`);
    dbs.push(db);
    return db;
  };
  const opened = async (db: Db) => {
    const store = await openMongoEventStore(db);
    stores.push(store);
    return store;
  };
  const copied = async (from: Db, to: Db, whileCopying: () => Promise<void> = async () => undefined) => {
    const cut = (await cutLogs(client, new Map([['log', from]]))).get('log')!;
    await whileCopying();
    await restoreLog(to, commitsOf(from, cut), { prunedBefore: cut.prunedBefore, namesKeptUntil: later() });
    return cut;
  };

  it('have everything up to their moment, and nothing that is appended later', async () => {
    const [from, to] = [fresh(), fresh()];
    const store = await opened(from);
    for (let version = 0; version < 5; version += 1) await append(store, 'a', version, `name ${version}`);
    await store.positionOf('a', 5);
    const { head } = await copied(from, to, async () => void (await append(store, 'a', 5)));
    expect(head).toBe(5);
    const copy = await opened(to);
    expect(await copy.readAll(0, 100)).toEqual((await store.readAll(0, 100)).slice(0, 5));
    expect((await append(copy, 'b', 0, 'name 3')).written).toBe(false);
    await append(copy, 'a', 5);
    expect(await copy.positionOf('a', 6)).toBe(6);
  });

  it('are read in pages as they are stored, up to the size of a page', async () => {
    const db = fresh();
    const store = await opened(db);
    for (let version = 0; version < 5; version += 1) await append(store, 'a', version);
    await store.positionOf('a', 5);
    const read = async (after: number, count: number) => (await storedLog(db).readAll(after, count)).map(({ position }) => position);
    expect([await read(0, 2), await read(2, 10), await read(4, 1), await read(5, 1)]).toEqual([[1, 2], [3, 4, 5], [5], []]);
  });

  it('are read and restored in pages of bounded length', async () => {
    const db = fresh();
    async function* commits() {
      for (let position = 1; position <= 20; position += 1)
        yield { _id: `a@${position}`, stream: 'a', version: position, events: `["${'x'.repeat(1024 * 1024)}"]`, metadata: '{}', position };
    }
    const inserted = jest.spyOn(Collection.prototype, 'insertMany');
    await restoreLog(db, commits(), { prunedBefore: 1, namesKeptUntil: later() });
    expect(inserted.mock.calls.map(([documents]) => documents.length)).toEqual([16, 4]);
    inserted.mockRestore();
    const log = storedLog(db);
    expect([await log.head(), await log.readAll(0, 20), await log.readAll(0, 20, 3 * 1024 * 1024)]).toMatchObject([
      20,
      { length: 1 },
      { length: 3 },
    ]);
  });

  it('are read once, in answers of bounded length', async () => {
    const db = fresh();
    async function* commits() {
      for (let position = 1; position <= 40; position += 1)
        yield { _id: `a@${position}`, stream: 'a', version: position, events: `["${'x'.repeat(1024 * 1024)}"]`, metadata: '{}', position };
    }
    await restoreLog(db, commits(), { prunedBefore: 1, namesKeptUntil: later() });
    const cut = (await cutLogs(client, new Map([['log', db]]))).get('log')!;
    const answers: number[] = [];
    const count = ({ commandName, reply }: CommandSucceededEvent) => {
      const { firstBatch, nextBatch } = (reply as { cursor?: { firstBatch?: readonly []; nextBatch?: readonly [] } }).cursor ?? {};
      if (commandName === 'find' || commandName === 'getMore') answers.push((firstBatch ?? nextBatch)!.length);
    };
    client.on('commandSucceeded', count);
    const positions: (number | undefined)[] = [];
    for await (const { position } of commitsOf(db, cut)) positions.push(position);
    client.off('commandSucceeded', count);
    expect(positions).toEqual(Array.from({ length: 40 }, (_, index) => index + 1));
    expect(answers.reduce((sum, each) => sum + each)).toBe(40);
    expect(Math.max(...answers)).toBeLessThanOrEqual(16);
  });

  it('have commits whose position was decided and not written, and those without a position', async () => {
    const [from, to] = [fresh(), fresh()];
    const store = await opened(from);
    for (const stream of ['a', 'b', 'c', 'd']) {
      await append(store, stream, 0);
      await store.positionOf(stream, 1);
    }
    await store.close();
    const commits = from.collection<CommitDocument>('commits');
    const back = async (stream: string) => {
      const { _id, events } = (await commits.findOne({ stream }))!;
      await commits.updateOne({ _id }, { $unset: { position: '' }, $set: { pending: (JSON.parse(events) as [{ id: string }])[0].id } });
      return _id;
    };
    const ids = [await back('b'), (await commits.findOne({ stream: 'c' }))!._id];
    await back('d');
    await from.collection<TailDocument>('log_tail').updateOne({ _id: 'tail' }, { $set: { batch: 9, first: 2, commits: ids } });
    expect((await copied(from, to)).head).toBe(3);
    const copy = await opened(to);
    expect(await copy.positionOf('d', 1)).toBe(4);
    expect((await copy.readAll(0, 10)).map(({ stream }) => stream)).toEqual(['a', 'b', 'c', 'd']);
  });

  it('are of one moment in all databases', async () => {
    const [first, second] = [fresh(), fresh()];
    const [cause, effect] = [await opened(first), await opened(second)];
    const writing = (async () => {
      for (let version = 0; version < 60; version += 1) {
        await append(cause, 'a', version);
        await append(effect, 'a', version);
      }
    })();
    const logs = new Map([
      ['effect', second],
      ['cause', first],
    ]);
    for (let round = 0; round < 20; round += 1) {
      const cuts = await cutLogs(client, logs);
      const countIn = (name: string) => {
        const { head, pending, tail } = cuts.get(name)!;
        return head + pending.filter(({ _id }) => !tail.commits.includes(_id)).length;
      };
      expect([0, 1]).toContain(countIn('cause') - countIn('effect'));
    }
    await writing;
  });

  it('keep the names of effects for as long as old events may be delivered again', async () => {
    const [from, to] = [fresh(), fresh()];
    const store = await opened(from);
    await append(store, 'a', 0, 'name');
    await store.positionOf('a', 1);
    await copied(from, to);
    const copy = await opened(to);
    while (await copy.pruneOnce(2));
    expect(await copy.earlier(['name'])).toHaveLength(1);
    while (await store.pruneOnce(2));
    expect(await store.earlier(['name'])).toHaveLength(0);
  });
});
