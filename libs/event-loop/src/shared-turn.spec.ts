import { createHook } from 'node:async_hooks';
import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { inTurns, isTurnOver, nextTurn } from './shared-turn.ts';

describe('a shared turn of the event loop', () => {
  afterEach(() => void jest.restoreAllMocks());

  // docs/explanation/security.md states this time.
  it('is over after 4 milliseconds', async () => {
    let now = 1_000;
    jest.spyOn(performance, 'now').mockImplementation(() => now);
    await nextTurn();
    expect(isTurnOver()).toBe(false);
    now += 3.9;
    expect(isTurnOver()).toBe(false);
    now += 0.1;
    expect(isTurnOver()).toBe(true);
    await nextTurn();
    now -= 500;
    expect(isTurnOver()).toBe(true);
  });

  it('begins with the first call in a turn if no task waits', async () => {
    let now = 1_000;
    jest.spyOn(performance, 'now').mockImplementation(() => now);
    await new Promise(setImmediate);
    for (let turn = 0; turn < 2; turn++) {
      expect(isTurnOver()).toBe(false);
      now += 3.9;
      expect(isTurnOver()).toBe(false);
      now += 0.1;
      expect(isTurnOver()).toBe(true);
      await new Promise(setImmediate);
      await new Promise(setImmediate);
    }
  });

  it('is shared by all tasks that wait for it', async () => {
    let turns = 0;
    let isCounting = true;
    const count = () => {
      turns += 1;
      if (isCounting) setImmediate(count);
    };
    setImmediate(count);
    await Promise.all(Array.from({ length: 50 }, () => nextTurn()));
    isCounting = false;
    expect(turns).toBeLessThanOrEqual(3);
  });

  it('limits the total time of its tasks; the rest wait for the next turn, in order', async () => {
    let now = 1_000;
    jest.spyOn(performance, 'now').mockImplementation(() => now);
    let turn = 0;
    let next = setImmediate(function count() {
      turn += 1;
      next = setImmediate(count);
    });
    const done: { task: number; turn: number }[] = [];
    const work = async (task: number) => {
      for (let piece = 0; piece < 3; piece++) {
        await nextTurn();
        now += 1;
        done.push({ task, turn });
      }
    };
    await Promise.all(Array.from({ length: 10 }, (_, task) => work(task)));
    clearImmediate(next);
    const perTurn = new Map<number, number>();
    for (const each of done) perTurn.set(each.turn, (perTurn.get(each.turn) ?? 0) + 1);
    expect(Math.max(...perTurn.values())).toBeLessThanOrEqual(4);
    expect(done.map(({ task }) => task)).toEqual(Array.from({ length: 30 }, (_, piece) => piece % 10));
  });

  it('schedules at most as many callbacks as tasks may share a turn, however many tasks wait', async () => {
    jest.spyOn(performance, 'now').mockReturnValue(1_000);
    let scheduled = 0;
    const hook = createHook({ init: (_, type) => void (scheduled += type === 'Immediate' ? 1 : 0) }).enable();
    const tasks = 1_000;
    await Promise.all(Array.from({ length: tasks }, () => nextTurn()));
    hook.disable();
    // One callback for each task, one that plans each turn, and those of the last turn without tasks.
    expect(scheduled).toBeLessThan(tasks + 4 * 64);
  });

  it('rotates among clients, so that many tasks of one client delay only its own tasks', async () => {
    const done: string[] = [];
    const work = async (client: string) => {
      await nextTurn(client);
      done.push(client);
    };
    await Promise.all([...Array.from({ length: 4 }, () => work('many')), work('one'), work('other')]);
    expect(done).toEqual(['many', 'one', 'other', 'many', 'many', 'many']);
  });

  it('comes for each task eventually, even if the clock reports each turn as over at once', async () => {
    let now = 1_000;
    jest.spyOn(performance, 'now').mockImplementation(() => (now += 10));
    const done: number[] = [];
    await Promise.all([1, 2, 3].map((task) => nextTurn().then(() => done.push(task))));
    expect(done).toEqual([1, 2, 3]);
  });

  it('lets other work run before it', async () => {
    let isDone = false;
    setImmediate(() => (isDone = true));
    await nextTurn();
    expect(isDone).toBe(true);
  });

  it('ends after each group of items that uses up its time', async () => {
    let now = 1_000;
    jest.spyOn(performance, 'now').mockImplementation(() => now);
    let turns = 0;
    let next = setImmediate(function count() {
      turns += 1;
      next = setImmediate(count);
    });
    const atOnce: number[] = [];
    let running = 0;
    const results = await inTurns([1, 2, 3, 4, 5], 2, async (item) => {
      atOnce.push((running += 1));
      now += 3;
      await Promise.resolve();
      running -= 1;
      return 10 * item;
    });
    clearImmediate(next);
    expect([results, atOnce]).toEqual([
      [10, 20, 30, 40, 50],
      [1, 2, 1, 2, 1],
    ]);
    expect(turns).toBeGreaterThanOrEqual(2);
  });
});
