import { describe, expect, it } from '@jest/globals';
import { FileRoom } from './file-room.ts';

/** Whether a promise has resolved by the next turns of the event loop. */
async function isSettled(promise: Promise<unknown>): Promise<boolean> {
  let settled = false;
  promise.then(
    () => (settled = true),
    () => (settled = true),
  );
  for (let turn = 0; turn < 3; turn++) await new Promise((resolve) => setImmediate(resolve));
  return settled;
}

describe('room for files', () => {
  it('is given until it is full, and then as it is given back', async () => {
    const room = new FileRoom(10);
    const giveBack = await room.take(6);
    await room.take(4);
    const third = room.take(5);
    expect(await isSettled(third)).toBe(false);
    giveBack();
    expect(await isSettled(third)).toBe(true);
  });
  it('is given back once', async () => {
    const room = new FileRoom(10);
    const giveBack = await room.take(10);
    giveBack();
    giveBack();
    await room.take(10);
    expect(await isSettled(room.take(1))).toBe(false);
  });
  it('is given in order, so that a small file does not pass a large one for ever', async () => {
    const room = new FileRoom(10);
    const giveBack = await room.take(5);
    const [large, small] = [room.take(8), room.take(1)];
    expect(await isSettled(small)).toBe(false);
    giveBack();
    expect([await isSettled(large), await isSettled(small)]).toEqual([true, true]);
  });
  it('is not waited for any more by a reply that was stopped, and then the next one has its turn', async () => {
    const room = new FileRoom(10);
    await room.take(5);
    const stop = new AbortController();
    const stopped = room.take(8, stop.signal);
    const next = room.take(5);
    stop.abort(new Error('stopped'));
    await expect(stopped).rejects.toThrow('stopped');
    expect(await isSettled(next)).toBe(true);
  });
  it('is given to more than there is, alone', async () => {
    const room = new FileRoom(10);
    const giveBack = await room.take(50);
    expect(await isSettled(room.take(1))).toBe(false);
    giveBack();
  });
});
