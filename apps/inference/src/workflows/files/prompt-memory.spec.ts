import { describe, expect, it } from '@jest/globals';
import { PromptMemory } from './prompt-memory.ts';

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

describe('memory for files', () => {
  it('is granted until it is full, and then as it is released', async () => {
    const memory = new PromptMemory(10);
    const release = await memory.take(6);
    await memory.take(4);
    const third = memory.take(5);
    expect(await isSettled(third)).toBe(false);
    release();
    expect(await isSettled(third)).toBe(true);
  });
  it('is released once', async () => {
    const memory = new PromptMemory(10);
    const release = await memory.take(10);
    release();
    release();
    await memory.take(10);
    expect(await isSettled(memory.take(1))).toBe(false);
  });
  it('is granted in order, so that small files do not starve a large one', async () => {
    const memory = new PromptMemory(10);
    const release = await memory.take(5);
    const [large, small] = [memory.take(8), memory.take(1)];
    expect(await isSettled(small)).toBe(false);
    release();
    expect([await isSettled(large), await isSettled(small)]).toEqual([true, true]);
  });
  it('is not granted to a stopped reply, and the next one gets its turn', async () => {
    const memory = new PromptMemory(10);
    await memory.take(5);
    const stop = new AbortController();
    const stopped = memory.take(8, stop.signal);
    const next = memory.take(5);
    stop.abort(new Error('stopped'));
    await expect(stopped).rejects.toThrow('stopped');
    expect(await isSettled(next)).toBe(true);
  });
  it('is granted to a reply that needs more than the limit if no other reply has any', async () => {
    const memory = new PromptMemory(10);
    const release = await memory.take(50);
    expect(await isSettled(memory.take(1))).toBe(false);
    release();
  });
});
