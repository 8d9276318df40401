import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Scratch } from './scratch.ts';

/** No process has this ID: it is above the limit of the kernel. */
const DEAD = '99999999';

let parent: string;
beforeEach(async () => {
  parent = await mkdtemp(join(tmpdir(), 'parlance-scratch-spec-'));
});
afterEach(() => rm(parent, { recursive: true, force: true }));

describe('a directory for downloads', () => {
  it('has a subdirectory for each run, which is removed when the run ends', async () => {
    const scratch = await Scratch.open(parent);
    let part = '';
    const result = await scratch.use(async (directory) => {
      part = directory;
      await writeFile(join(directory, 'a'), 'x');
      return 7;
    });
    expect([result, existsSync(part)]).toEqual([7, false]);
  });
  it('removes the subdirectory when the run fails', async () => {
    const scratch = await Scratch.open(parent);
    await expect(scratch.use(() => Promise.reject(new Error('failed')))).rejects.toThrow('failed');
    expect(await readdir(scratch.directory)).toEqual([]);
  });
  it('is cleared of the files of processes that have ended', async () => {
    await mkdir(join(parent, DEAD, 'run-1'), { recursive: true });
    // A subdirectory with this process's ID can only come from an earlier process with the same ID.
    await mkdir(join(parent, String(process.pid), 'run-1'), { recursive: true });
    await mkdir(join(parent, String(process.ppid)), { recursive: true });
    const scratch = await Scratch.open(parent);
    expect((await readdir(parent)).toSorted()).toEqual([String(process.pid), String(process.ppid)].toSorted());
    expect(await readdir(scratch.directory)).toEqual([]);
    await scratch.close();
    expect(await readdir(parent)).toEqual([String(process.ppid)]);
  });
});
