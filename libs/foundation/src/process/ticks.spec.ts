import { setImmediate as turn } from 'node:timers/promises';
import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { Ticks } from './ticks.ts';

/** Work of these intervals, each with its period since the process began when it was called. */
const calledAt = (ticks: Ticks, millis: number, times: number): Promise<readonly number[]> => {
  const { promise, resolve } = Promise.withResolvers<readonly number[]>();
  const found: number[] = [];
  const next = () =>
    ticks.next(millis, () => {
      found.push(performance.now() / millis);
      if (found.length < times) next();
      else resolve(found);
      return true;
    });
  next();
  return promise;
};

describe('the ticks of a process', () => {
  afterEach(() => void jest.restoreAllMocks());

  it('call work once for each interval, not before its beginning', async () => {
    const found = await calledAt(new Ticks(), 20, 3);
    const periods = found.map((at) => Math.floor(at + 1 / 20));
    expect(new Set(periods).size).toBe(3);
  });

  it('use one timer, and none when nothing waits', async () => {
    const [set, cleared] = [jest.spyOn(globalThis, 'setTimeout'), jest.spyOn(globalThis, 'clearTimeout')];
    const ticks = new Ticks();
    const cancels = [7_000, 1_000, 2_000, 1_000].map((millis) => ticks.next(millis, () => true));
    const isOwn = (nth: number) => String(set.mock.calls[nth]![0]).includes('wake');
    const running = () => set.mock.results.filter(({ value }, nth) => isOwn(nth) && !cleared.mock.calls.some(([timer]) => timer === value));
    expect(running()).toHaveLength(1);
    for (const cancel of cancels) cancel();
    expect(running()).toHaveLength(0);
  });

  it('call all work with equal intervals in one wake-up, with a new turn of the event loop after each that starts something', async () => {
    // Node counts the time of a timer from the beginning of the turn that sets it.
    await turn();
    const ticks = new Ticks();
    const set = jest.spyOn(globalThis, 'setTimeout');
    const calls: string[] = [];
    const { promise, resolve } = Promise.withResolvers<void>();
    const call = (name: string, begins: boolean) =>
      ticks.next(40, () => {
        calls.push(name);
        if (name === 'rests') setImmediate(() => calls.push('a turn'));
        if (name === 'last') resolve();
        return begins;
      });
    call('rests', false);
    call('begins', true);
    call('last', true);
    await promise;
    const own = set.mock.calls.filter(([callback]) => String(callback).includes('wake'));
    expect([calls, own.length]).toEqual([['rests', 'begins', 'a turn', 'last'], 1]);
  });
});
