import { setImmediate } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { describe, expect, it, jest } from '@jest/globals';
import { file, keys, put } from '../test/pairs-file.ts';
import { checkpointer } from './checkpointer.ts';

describe('a checkpoint', () => {
  it('does not let a group of writes begin while it truncates the log', async () => {
    await file.write(put(['a', 1]));
    const [begun, end] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const run = checkpointer.run.bind(checkpointer);
    jest.spyOn(checkpointer, 'run').mockImplementation(async (its, mode) => {
      if (mode === 'TRUNCATE') {
        begun.resolve();
        await end.promise;
      }
      return run(its, mode);
    });
    const checkpoint = file.checkpoint();
    await begun.promise;
    let hasRun = false;
    const written = file.write((transaction) => {
      hasRun = true;
      put(['b', 2])(transaction);
    });
    for (let turn = 0; turn < 10; turn++) await setImmediate();
    const ranMeanwhile = hasRun;
    end.resolve();
    expect(ranMeanwhile).toBe(false);
    expect(await checkpoint).toBe(true);
    await written;
    expect(keys()).toEqual(['a', 'b']);
  });

  it('gets a new thread after the thread has ended', async () => {
    jest.spyOn(Worker.prototype, 'postMessage').mockImplementationOnce(function (this: Worker) {
      void this.terminate();
    });
    await expect(file.checkpoint()).rejects.toThrow('The checkpoint thread ended.');
    expect(await file.checkpoint()).toBe(true);
  });

  it('keeps the process alive only while it is running', async () => {
    const [kept, freed] = [jest.spyOn(Worker.prototype, 'ref'), jest.spyOn(Worker.prototype, 'unref')];
    const last = ({ mock }: typeof kept) => mock.invocationCallOrder.at(-1)!;
    await file.checkpoint();
    expect(last(freed)).toBeGreaterThan(last(kept));
  });
});
