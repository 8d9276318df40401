import { afterEach, describe, expect, it } from '@jest/globals';
import { Injectable } from '@nestjs/common';
import { Test, type TestingModule } from '@nestjs/testing';
import { Config } from '@parlance/config';
import type { EventStore } from '@parlance/event-store';
import { ShutdownPlan } from '@parlance/observability';
import { waitFor } from '@parlance/testing';
import type { Logger } from 'pino';
import { Clock } from './clock.ts';
import { every, HOUR, type Schedule, SECOND, startSchedule } from './schedule.ts';
import { Timers } from './timers.ts';
import { changesAfterGrowth, STORAGE } from './wiring/storage.module.ts';

@Injectable()
class Lamp {
  readonly did: string[] = [];
  readonly blinked = Promise.withResolvers<void>();
  isOn = false;

  async blink(at: number): Promise<void> {
    this.did.push(`blinked at ${at}`);
    this.blinked.resolve();
  }
}
abstract class Absent {
  abstract work(): void;
}

let app: TestingModule;
/** The writes to a database of this process alone, and its steady clock. */
const database = { changes: 0, now: 0 };
const timers = () => app.get(Timers);
const shutdown = new ShutdownPlan({ graceSeconds: 5, warn: () => undefined });
async function start(schedule: Schedule, storage: object = {}) {
  app = await Test.createTestingModule({
    providers: [
      Lamp,
      { provide: Timers, useValue: new Timers({ error: () => undefined } as unknown as Logger, (millis) => millis / 1_000) },
      { provide: ShutdownPlan, useValue: shutdown },
      { provide: Config, useValue: { mailMinutes: null, blinkMillis: SECOND } },
      { provide: Clock, useValue: { now: () => 7, steady: () => database.now } },
      { provide: STORAGE, useValue: storage },
    ],
  }).compile();
  startSchedule('lights', schedule, app);
  return app.get(Lamp);
}

describe('the schedule of a service', () => {
  afterEach(() => timers().stop());

  it('repeats work on a part of the service, and passes it the time', async () => {
    const lamp = await start([
      every(
        (config) => (config as unknown as { blinkMillis: number }).blinkMillis,
        'blink',
        Lamp,
        (part, now) => part.blink(now),
      ),
    ]);
    await lamp.blinked.promise;
    expect(lamp.did).toContain('blinked at 7');
  });

  it('fails to start if the service does not provide a part, and names the part', async () => {
    await expect(start([every(HOUR, 'work', Absent, () => undefined)])).rejects.toThrow('Absent');
  });

  it('skips work that the configuration does not need, even if its part is absent', async () => {
    await start([
      every(
        () => null,
        'work',
        Absent,
        () => undefined,
      ),
    ]);
  });

  it('ends its work when the service stops', async () => {
    const lamp = await start([every(HOUR, 'blink', Lamp, (part) => part.blink(0), { stop: (part) => part.did.push('stopped') })]);
    await shutdown.run();
    expect(lamp.did).toEqual(['stopped']);
  });

  describe('with a part that has nothing to do', () => {
    const own = { changes: () => database.changes };
    /** Waits for some further intervals, and returns how many times the part was called meanwhile. */
    const calls = async (lamp: Lamp, looks: { count: number }) => {
      const before = lamp.did.length;
      const until = looks.count + 3;
      await waitFor(() => looks.count >= until);
      return lamp.did.length - before;
    };
    const resting = async (storage: object) => {
      const looks = { count: 0 };
      const rests = (part: Lamp) => ++looks.count > 0 && !part.isOn;
      const lamp = await start([every(SECOND, 'blink', Lamp, (part) => part.blink(0), { rests })], storage);
      await lamp.blinked.promise;
      return { lamp, looks };
    };

    it('leaves runs out until something is written to the database', async () => {
      const { lamp, looks } = await resting(own);
      expect(await calls(lamp, looks)).toBe(0);
      database.changes++;
      await waitFor(() => lamp.did.length === 2);
      expect(await calls(lamp, looks)).toBe(0);
    });

    it('leaves out no run while the part has something to do', async () => {
      const { lamp, looks } = await resting(own);
      lamp.isOn = true;
      expect(await calls(lamp, looks)).toBeGreaterThan(0);
    });

    it('runs again when it has rested for five seconds', async () => {
      const { lamp, looks } = await resting(own);
      // The timers of this spec are a thousand times as fast.
      database.now += 4;
      expect(await calls(lamp, looks)).toBe(0);
      database.now += 1;
      await waitFor(() => lamp.did.length === 2);
    });

    it('runs again after a run that failed', async () => {
      const { lamp } = await resting(own);
      lamp.blink = async () => {
        lamp.did.push('failed');
        throw new Error('no');
      };
      database.changes++;
      await waitFor(() => lamp.did.length >= 4);
    });

    it('leaves runs out while the log of several processes does not grow, and appends of others are noticed', async () => {
      const log = { isWatched: true, grewAt: -Infinity };
      let now = 0;
      const store = { noticesAtOnce: () => log.isWatched, grewAt: () => log.grewAt } as EventStore;
      const { lamp, looks } = await resting({ changes: changesAfterGrowth(store, () => now) });
      expect(await calls(lamp, looks)).toBe(0);
      const runsOften = () => {
        const before = lamp.did.length;
        return waitFor(() => lamp.did.length >= before + 3);
      };
      log.grewAt = now;
      await runsOften();
      now += 3_000;
      await calls(lamp, looks);
      expect(await calls(lamp, looks)).toBe(0);
      log.isWatched = false;
      await runsOften();
    });

    it('leaves out no run if other processes write to the database', async () => {
      const looks = { count: 0 };
      const lamp = await start([every(SECOND, 'blink', Lamp, (part) => part.blink(0), { rests: () => ++looks.count > 0 })]);
      await waitFor(() => lamp.did.length >= 3);
      expect(looks.count).toBe(0);
    });
  });
});
