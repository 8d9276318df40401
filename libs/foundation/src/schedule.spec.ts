import { afterEach, describe, expect, it } from '@jest/globals';
import { Injectable } from '@nestjs/common';
import { Test, type TestingModule } from '@nestjs/testing';
import { Config } from '@parlance/config';
import { ShutdownPlan } from '@parlance/observability';
import type { Logger } from 'pino';
import { Clock } from './clock.ts';
import { every, HOUR, type Schedule, startSchedule } from './schedule.ts';
import { Timers } from './timers.ts';

@Injectable()
class Lamp {
  readonly did: string[] = [];
  readonly blinked = Promise.withResolvers<void>();

  async blink(at: number): Promise<void> {
    this.did.push(`blinked at ${at}`);
    this.blinked.resolve();
  }
}
abstract class Absent {
  abstract work(): void;
}

let app: TestingModule;
const timers = () => app.get(Timers);
const shutdown = new ShutdownPlan({ graceSeconds: 5, warn: () => undefined });
async function start(schedule: Schedule) {
  app = await Test.createTestingModule({
    providers: [
      Lamp,
      { provide: Timers, useValue: new Timers({ error: () => undefined } as unknown as Logger) },
      { provide: ShutdownPlan, useValue: shutdown },
      { provide: Config, useValue: { mailMinutes: null, blinkMillis: 1 } },
      { provide: Clock, useValue: { now: () => 7 } },
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
    const lamp = await start([
      every(
        HOUR,
        'blink',
        Lamp,
        (part) => part.blink(0),
        (part) => part.did.push('stopped'),
      ),
    ]);
    await shutdown.run();
    expect(lamp.did).toEqual(['stopped']);
  });
});
