import { setImmediate } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import type { Logger } from 'pino';
import { Timers } from './timers.ts';

const logged: unknown[] = [];
const log = { error: ({ timer }: { timer: string }) => void logged.push(timer) } as unknown as Logger;

describe('timers of a service', () => {
  it('wait for the current run when they are stopped, and begin no further run', async () => {
    const timers = new Timers(log);
    const [begun, end] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    let runs = 0;
    timers.every(1, 'work', async () => {
      runs++;
      begun.resolve();
      await end.promise;
    });
    await begun.promise;
    let isStopped = false;
    const stopped = timers.stop().then(() => (isStopped = true));
    await setImmediate();
    expect(isStopped).toBe(false);
    end.resolve();
    await stopped;
    await setImmediate();
    expect(runs).toBe(1);
  });

  it('continue after a failed run, and log its name', async () => {
    const timers = new Timers(log);
    const again = Promise.withResolvers<void>();
    let runs = 0;
    timers.every(1, 'fails once', async () => {
      if (++runs === 1) throw new Error('no');
      again.resolve();
    });
    await again.promise;
    await timers.stop();
    expect(logged).toEqual(['fails once']);
  });

  it('run when it cannot be determined whether they may rest', async () => {
    const timers = new Timers(log);
    const ran = Promise.withResolvers<void>();
    const mayRest = () => {
      throw new Error('no');
    };
    timers.every(1, 'work', async () => ran.resolve(), mayRest);
    await ran.promise;
    await timers.stop();
  });
});
