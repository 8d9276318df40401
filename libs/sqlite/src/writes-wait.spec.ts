import { fdatasync } from 'node:fs';
import { setImmediate } from 'node:timers/promises';
import { promisify } from 'node:util';
import { describe, expect, it } from '@jest/globals';
import { file, put, reopen } from '../test/pairs-file.ts';
import { GROUP_UNITS } from './unit-group.ts';

/** A file with its own clock. Its syncs wait while `held` is set. */
async function heldFile() {
  const state = { now: 0, held: null as Promise<void> | null, syncs: 0 };
  await file.close();
  const sync = async (fd: number) => {
    state.syncs++;
    await state.held;
    await promisify(fdatasync)(fd);
  };
  await reopen({ sync, now: () => state.now });
  return state;
}

const write = (from: number, count: number) => Array.from({ length: count }, (_, number) => file.write(put([`${from + number}`, 1])));
const synced = async (state: { syncs: number }, count: number) => {
  while (state.syncs < count) await setImmediate();
};

describe('the wait of writes', () => {
  it('is the age of the oldest unit that did not fit into a group, until a later group has written it', async () => {
    const state = await heldFile();
    const { promise, resolve: release } = Promise.withResolvers<void>();
    state.held = promise;
    const before = state.syncs;
    const first = write(0, 1);
    await synced(state, before + 1);
    state.now = 100;
    const more = write(1, GROUP_UNITS + 1);
    state.now = 400;
    expect(file.writesWait()).toBe(300);
    release();
    await Promise.all([...first, ...more]);
    expect(file.writesWait()).toBe(0);
  });

  it('is zero if the next group will write all waiting units, however slow the disk is', async () => {
    const state = await heldFile();
    const { promise, resolve: release } = Promise.withResolvers<void>();
    state.held = promise;
    const before = state.syncs;
    const first = write(0, 1);
    await synced(state, before + 1);
    const more = write(1, 10);
    state.now = 10_000;
    expect(file.writesWait()).toBe(0);
    release();
    await Promise.all([...first, ...more]);
  });

  it('is the age of a unit that the running group left in the queue because its time was used up', async () => {
    const state = await heldFile();
    const { promise, resolve: release } = Promise.withResolvers<void>();
    state.held = promise;
    const before = state.syncs;
    const slow = file.write(() => {
      const start = process.threadCpuUsage();
      while (process.threadCpuUsage(start).user < 20_000);
    });
    const more = write(0, 1);
    await synced(state, before + 1);
    state.now = 300;
    expect(file.writesWait()).toBe(300);
    release();
    await Promise.all([slow, ...more]);
    expect(file.writesWait()).toBe(0);
  });
});
