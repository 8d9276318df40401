import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { put, type ReadModels } from '@parlance/read-models';
import { openMongoReadModels } from '@parlance/read-models/mongo';
import { openSqliteReadModels } from '@parlance/read-models/sqlite';
import { openSqliteFile } from '@parlance/sqlite';
import { database, type Database, missing, waitFor } from '@parlance/testing';
import { MongoClient } from 'mongodb';
import { cursorRows } from '../src/projections/webhooks/webhook-deliveries.ts';
import { DeliverySlots, SlotLost, slotOf } from '../src/workflows/deliveries/delivery-slots.ts';

const LEASE = 200;
const slot = slotOf('w');
const cursor = (seen: number) => put(cursorRows, 'w', { webhook_id: 'w', places: {}, seen, next: 1 });

/** The read models of two replicas. */
interface Stores {
  readonly one: ReadModels;
  readonly other: ReadModels;
  end(): Promise<void>;
}

/** The read models of both replicas in one file. Two processes could not share a file, but the rules are the same. */
async function inFile(): Promise<Stores> {
  const directory = await mkdtemp(join(tmpdir(), 'delivery-slots-'));
  const file = await openSqliteFile(join(directory, 'slots.db'));
  const models = await openSqliteReadModels(file);
  const end = async () => {
    await file.close();
    await rm(directory, { recursive: true });
  };
  return { one: models, other: models, end };
}

function inMongo(): () => Promise<Stores> {
  let server: Database;
  let clients: readonly [MongoClient, MongoClient];
  let tests = 0;
  beforeAll(async () => {
    server = await database();
    clients = await Promise.all([new MongoClient(server.uri).connect(), new MongoClient(server.uri).connect()]);
  });
  afterAll(async () => {
    await Promise.all(clients.map((client) => client.close()));
    await server.stop();
  });
  return async () => {
    const name = `${server.prefix}_slots_${++tests}`;
    const [one, other] = await Promise.all([
      openMongoReadModels(clients[0], clients[0].db(name)),
      openMongoReadModels(clients[1], clients[1].db(name)),
    ]);
    const end = async () => {
      await Promise.all([one.close(), other.close()]);
      await clients[0].db(name).dropDatabase();
    };
    return { one, other, end };
  };
}

specify('in SQLite', () => inFile, null);
specify('in MongoDB', inMongo, missing('mongo'));

function specify(where: string, prepare: () => () => Promise<Stores>, lacking: string | null): void {
  const describeOrSkip = lacking === null ? describe : describe.skip;
  describeOrSkip(`the slots of two replicas ${where}${lacking === null ? '' : ` (${lacking})`}`, () => {
    const open = prepare();
    let stores: Stores;

    const replica = async (name: 'one' | 'other', lease = LEASE) => {
      const slots = new DeliverySlots(stores[name], name, lease);
      await slots.open();
      return slots;
    };
    const seen = async () => (await stores.other.get(cursorRows, 'w'))?.seen;

    beforeEach(async () => {
      stores = await open();
    });
    afterEach(() => stores.end());

    it('are owned by one of them', async () => {
      const [one, other] = await Promise.all([replica('one'), replica('other')]);
      const claims = await Promise.all([one.claim(slot), other.claim(slot)]);
      expect(claims.filter((held) => held !== null)).toHaveLength(1);
    });

    it("are taken over when the owner's record no longer changes, and its late write is refused", async () => {
      const [one, other] = [await replica('one'), await replica('other')];
      const dead = (await one.claim(slot))!;
      await dead.write([cursor(1)]);
      expect(await other.claim(slot)).toBeNull();
      const held = await waitFor(() => other.claim(slot), { what: 'the slot' });
      await held!.write([cursor(2)]);
      await expect(dead.write([cursor(3)])).rejects.toBeInstanceOf(SlotLost);
      expect(await seen()).toBe(2);
    });

    it('can be claimed again at once by an owner that could not release them, and its late write is refused', async () => {
      const [one] = [await replica('one', 600_000), await replica('other')];
      const before = (await one.claim(slot))!;
      const again = (await one.claim(slot))!;
      await again.write([cursor(2)]);
      await expect(before.write([cursor(3)])).rejects.toBeInstanceOf(SlotLost);
      expect(await seen()).toBe(2);
    });

    it('stay with a silent owner until its lease has ended', async () => {
      const [one, other] = [await replica('one'), await replica('other', 600_000)];
      await one.claim(slot);
      for (let look = 0; look < 3; look++) expect(await other.claim(slot)).toBeNull();
    });

    it('stay with an owner that updates its record', async () => {
      const [one, other] = [await replica('one'), await replica('other')];
      const held = (await one.claim(slot))!;
      const until = performance.now() + 3 * LEASE;
      await waitFor(
        async () => {
          await held.beat(0);
          expect(await other.claim(slot)).toBeNull();
          return performance.now() > until;
        },
        { what: 'some leases' },
      );
    });

    it('execute concurrent writes one after the other', async () => {
      const [one] = [await replica('one'), await replica('other')];
      const held = (await one.claim(slot))!;
      await Promise.all([1, 2, 3].map((number) => held.write([cursor(number)])));
      expect(await seen()).toBe(3);
    });

    it('accept no write after they were released, even while no replica has them', async () => {
      const [one] = [await replica('one'), await replica('other')];
      const held = (await one.claim(slot))!;
      await held.release();
      await expect(held.write([cursor(1)])).rejects.toBeInstanceOf(SlotLost);
      expect(await seen()).toBeUndefined();
    });

    it('can be claimed as soon as they are released', async () => {
      const [one, other] = [await replica('one'), await replica('other')];
      const held = (await one.claim(slot))!;
      await held.release();
      expect(await other.claim(slot)).not.toBeNull();
      await expect(held.write([cursor(1)])).rejects.toBeInstanceOf(SlotLost);
    });

    it('can be claimed at the start if no other process can own them', async () => {
      await (await replica('one', 0)).claim(slot);
      expect(await (await replica('other', 0)).claim(slot)).not.toBeNull();
    });
  });
}
