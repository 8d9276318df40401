import { afterAll, afterEach, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { database, missing } from '@parlance/testing';
import { MongoClient } from 'mongodb';
import { type CheckpointsHarness, relayCheckpointsContract } from '../../test/contract/contract.ts';
import { EmbeddedHarnesses } from '../../test/contract/embedded-harness.ts';
import { openMongoRelayCheckpoints } from './mongo-checkpoints.ts';
import { RelayCheckpoints } from './relay-checkpoints.ts';
import { openSqliteRelayCheckpoints } from './sqlite-checkpoints.ts';

const describeMongo = missing('mongo') ? describe.skip : describe;
const harnesses = new EmbeddedHarnesses();
afterEach(() => harnesses.close());

async function onSqlite(through = (checkpoints: RelayCheckpoints): RelayCheckpoints => checkpoints): Promise<CheckpointsHarness> {
  const file = await harnesses.file();
  let now = 1_000_000;
  return {
    open: async () => through(await openSqliteRelayCheckpoints(file, () => now)),
    elapse: async (ms) => void (now += ms),
  };
}

describe('relay checkpoints in SQLite', () => {
  for (const { name, run } of relayCheckpointsContract) it(name, async () => run(await onSqlite()));
});

describeMongo('relay checkpoints in MongoDB', () => {
  let server: Awaited<ReturnType<typeof database>>;
  let client: MongoClient;
  beforeAll(async () => {
    server = await database();
    client = await MongoClient.connect(server.uri);
  });
  afterAll(async () => {
    await client?.close();
    await server?.stop();
  });

  const onMongo = (): CheckpointsHarness => {
    const db = client.db('relay_checkpoints');
    return {
      open: () => openMongoRelayCheckpoints(db),
      // The test cannot move the server's clock, so it moves the leases.
      elapse: async (ms) => void (await db.collection('relay_checkpoints').updateMany({}, { $inc: { expires: -ms } })),
    };
  };

  for (const { name, run } of relayCheckpointsContract) it(name, () => run(onMongo()));

  it("uses the server's clock, not the clock of a process", async () => {
    const { open, elapse } = onMongo();
    const [right, wrong] = [await open(), await open()];
    const relay = `relay.${Date.now()}`;
    const clock = jest.spyOn(Date, 'now');
    try {
      clock.mockReturnValue(Date.now() + 3_600_000);
      const lease = await wrong.claim(relay, 'an hour ahead', 60_000, 0);
      expect(lease).not.toBeNull();
      expect(await wrong.advance(relay, lease?.epoch ?? 0, 7, 60_000)).toBe(true);
      clock.mockRestore();
      expect(await right.claim(relay, 'right', 60_000, 0)).toBeNull();
      await elapse(60_000);
      expect(await right.claim(relay, 'right', 60_000, 0)).toMatchObject({ position: 7 });
      jest.spyOn(Date, 'now').mockReturnValue(Date.now() + 3_600_000);
      expect(await wrong.claim(relay, 'an hour ahead', 60_000, 0)).toBeNull();
    } finally {
      jest.restoreAllMocks();
    }
  });
});

describe('the contract of relay checkpoints', () => {
  /** A correct implementation, which the broken ones below extend. */
  class Honest extends RelayCheckpoints {
    constructor(protected readonly inner: RelayCheckpoints) {
      super();
    }
    claim(...args: Parameters<RelayCheckpoints['claim']>) {
      return this.inner.claim(...args);
    }
    advance(...args: Parameters<RelayCheckpoints['advance']>) {
      return this.inner.advance(...args);
    }
    release(...args: Parameters<RelayCheckpoints['release']>) {
      return this.inner.release(...args);
    }
    position(...args: Parameters<RelayCheckpoints['position']>) {
      return this.inner.position(...args);
    }
  }

  class GivesTheLeaseToAnyone extends Honest {
    override claim(relay: string, _owner: string, ttlMs: number, release: number) {
      return this.inner.claim(relay, 'anyone', ttlMs, release);
    }
  }

  class IgnoresReleases extends Honest {
    override claim(relay: string, owner: string, ttlMs: number) {
      return this.inner.claim(relay, owner, ttlMs, 0);
    }
  }

  class LetsTheOlderAdvance extends Honest {
    override async advance(...args: Parameters<RelayCheckpoints['advance']>) {
      await this.inner.advance(...args);
      return true;
    }
  }

  class ForgetsThePosition extends Honest {
    override advance(relay: string, epoch: number, _position: number, ttlMs: number) {
      return this.inner.advance(relay, epoch, 0, ttlMs);
    }
  }

  class DoesNotRenew extends Honest {
    override advance(relay: string, epoch: number, position: number) {
      return this.inner.advance(relay, epoch, position, 0);
    }
  }

  class DoesNotRelease extends Honest {
    override async release() {}
  }

  class KeepsThePositionToItself extends Honest {
    override async position() {
      return 0;
    }
  }

  const broken: [new (inner: RelayCheckpoints) => RelayCheckpoints, string][] = [
    [GivesTheLeaseToAnyone, 'gives the lease to exactly one of many concurrent claimants'],
    [GivesTheLeaseToAnyone, 'starts a relay at the beginning, and gives the lease to one owner at a time'],
    [LetsTheOlderAdvance, 'gives an expired lease to the next claimant, with a newer epoch and the current position'],
    [LetsTheOlderAdvance, 'gives the owner its lease again with a new epoch, which ends the former one'],
    [ForgetsThePosition, 'gives a released lease to the next claimant at once, and keeps the position for other processes'],
    [DoesNotRenew, 'renews the lease with each advance, even if it had expired and nobody had claimed it'],
    [KeepsThePositionToItself, 'returns the position to processes that do not hold the lease'],
    [IgnoresReleases, 'gives the lease of an older release to a newer one at once'],
    [IgnoresReleases, 'keeps the lease from an older release for a minute after a newer one has lost or released it'],
    [DoesNotRelease, 'gives a released lease to the next claimant at once, and keeps the position for other processes'],
  ];
  for (const [Broken, name] of broken) {
    it(`catches ${Broken.name} when it ${name}`, async () => {
      const guilty = relayCheckpointsContract.find((each) => each.name === name);
      await expect(guilty?.run(await onSqlite((inner) => new Broken(inner)))).rejects.toThrow();
    });
  }
});
