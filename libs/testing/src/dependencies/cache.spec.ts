import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { cached } from './cache.ts';

describe('a folder of the cache', () => {
  const before = process.env.TEST_CACHE;
  let cache: string;

  beforeEach(async () => {
    cache = process.env.TEST_CACHE = await mkdtemp(join(tmpdir(), 'parlance-cache-'));
  });
  afterEach(async () => {
    if (before === undefined) delete process.env.TEST_CACHE;
    else process.env.TEST_CACHE = before;
    await rm(cache, { recursive: true });
  });

  it('is filled by one process, while the others wait', async () => {
    let fills = 0;
    const fill = async (folder: string): Promise<void> => {
      fills++;
      await writeFile(join(folder, 'a.jar'), 'jar');
    };
    const folders = await Promise.all([cached('tool/lib', fill), cached('tool/lib', fill), cached('tool/lib', fill)]);
    expect(fills).toBe(1);
    expect(new Set(folders)).toEqual(new Set([join(cache, 'tool', 'lib')]));
    expect(await readFile(join(cache, 'tool', 'lib', 'a.jar'), 'utf8')).toBe('jar');
  });

  it('does not exist after filling it failed, and the next process tries again', async () => {
    const failing = cached('lib', async (folder) => {
      await writeFile(join(folder, 'half'), '');
      throw new Error('the registry cannot be reached');
    });
    await expect(failing).rejects.toThrow('the registry cannot be reached');
    expect(await readdir(cache)).not.toContain('lib');
    expect(await readdir(await cached('lib', (folder) => writeFile(join(folder, 'whole'), '')))).toEqual(['whole']);
  });

  it('is filled by another process after a process died while filling it', async () => {
    await mkdir(join(cache, 'lib.partial-x'));
    await cached('lib', async () => undefined);
    expect((await readdir(cache)).filter((name) => name.includes('partial'))).toEqual([]);
  });
});
