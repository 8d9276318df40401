import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { Instant } from '@parlance/decider';
import { openMongoEventStore } from '@parlance/event-store/mongo';
import { type Database, database, missing } from '@parlance/testing';
import { Collection } from 'mongodb';
import { databasesOf, type MongoDatabases } from '../mongo-databases.ts';
import { DatabaseCopies } from './database-copies.ts';

const SERVICE = 'bots';

(missing('mongo') ? describe.skip : describe)('copies of databases', () => {
  let [server, databases, copies]: [Database?, MongoDatabases?, DatabaseCopies?] = [];
  let directory: string;
  beforeAll(async () => {
    server = await database();
    databases = await databasesOf(server.uri, 'spec');
    copies = await DatabaseCopies.open(server.uri, [SERVICE]);
    directory = await mkdtemp(join(tmpdir(), 'parlance-copies-'));
  });
  afterAll(async () => {
    await copies?.close();
    await databases?.client.close();
    await server?.stop();
    await rm(directory, { recursive: true, force: true });
  });

  const append = async (times: readonly Instant[]) => {
    const store = await openMongoEventStore(databases!.of(SERVICE));
    const rest = { actor: null, ip: null, userAgent: null, requestId: 'r', correlationId: 'r', causationId: null };
    for (const at of times) {
      const stream = String(at);
      await store.append({ stream, expected: 0, events: [{ type: 'Happened' }], metadata: { at, ...rest } });
      await store.positionOf(stream, 1);
    }
    await store.close();
  };

  it('are restored with relays that publish again what consumers may not have handled', async () => {
    const path = join(directory, 'bots.bson');
    let late: number | undefined;
    expect(await copies!.relayed()).toEqual(new Map([[SERVICE, 0]]));
    await append([1_000, 2_000, 3_000, 4_000].map(Instant.ofMillis));
    const dumped = await copies!.dump(SERVICE, (await copies!.cut()).get(SERVICE)!, path);
    const publishedAfter = async (republishFrom: Instant, relayed?: number) => {
      await copies!.begin();
      const how = { pathOf: () => path, republishFrom, namesKeptUntil: new Date() };
      const republished = await copies!.restore({ [SERVICE]: { ...dumped, ...(relayed !== undefined && { relayed }) } }, how);
      late = republished.get(SERVICE)?.late;
      expect(await copies!.relayed()).toEqual(new Map([[SERVICE, republished.get(SERVICE)?.after]]));
      return (await databases!.of(SERVICE).collection('relay_checkpoints').findOne())?.['position'] as number;
    };
    expect(await publishedAfter(Instant.ofMillis(0))).toBe(0);
    expect(await publishedAfter(Instant.ofMillis(3_000))).toBe(2);
    expect(await publishedAfter(Instant.ofMillis(4_001))).toBe(4);
    expect(await publishedAfter(Instant.ofMillis(3_000), 4)).toBe(2);
    expect(late).toBe(0);
    expect(await publishedAfter(Instant.ofMillis(4_001), 1)).toBe(1);
    expect(late).toBe(3);
  });

  it('are restored in batches of bounded length', async () => {
    const path = join(directory, 'keys.bson');
    const keys = databases!.of(SERVICE).collection<{ _id: string; wrapped: string }>('subject_keys');
    await keys.insertMany(Array.from({ length: 20 }, (_, index) => ({ _id: String(index), wrapped: 'x'.repeat(1024 * 1024) })));
    const dumped = await copies!.dump(SERVICE, (await copies!.cut()).get(SERVICE)!, path);
    await copies!.begin();
    const inserted = jest.spyOn(Collection.prototype, 'insertMany');
    await copies!.restore({ [SERVICE]: dumped }, { pathOf: () => path, republishFrom: Instant.ofMillis(0), namesKeptUntil: new Date() });
    expect([inserted.mock.calls.map(([documents]) => documents.length), await keys.countDocuments()]).toEqual([[16, 4, 4], 20]);
    inserted.mockRestore();
  });
});
