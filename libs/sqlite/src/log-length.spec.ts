import { closeSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { directory, file, path, put } from '../test/pairs-file.ts';
import { checkpointer } from './checkpointer.ts';
import { hasFrames } from './log-length.ts';

describe('the length of a log', () => {
  let log: number;
  beforeEach(() => {
    log = openSync(`${path}-wal`, 'r');
  });
  afterEach(() => closeSync(log));
  const length = () => {
    let frames = 0;
    while (hasFrames(log, frames + 1)) frames++;
    return frames;
  };
  const large = (key: string) => file.write(put([key, 'x'.repeat(50_000)]));

  it('is the number of its frames', async () => {
    const before = length();
    await large('a');
    expect(length() - before).toBeGreaterThan(12);
    expect(length() - before).toBeLessThan(20);
  });

  it('leaves out the frames of an earlier use', async () => {
    await large('a');
    const before = length();
    expect(await checkpointer.run(path, 'PASSIVE')).toBe(false);
    expect(length()).toBe(before);
    await file.write(put(['b', 1]));
    expect(length()).toBeLessThan(5);
  });

  it("is counted in pages of the file's page size", async () => {
    const other = new DatabaseSync(join(directory, 'small.sqlite'));
    other.exec('PRAGMA page_size=1024; PRAGMA journal_mode=WAL; CREATE TABLE texts (text TEXT)');
    other.prepare('INSERT INTO texts VALUES (?)').run('x'.repeat(20_000));
    const small = openSync(join(directory, 'small.sqlite-wal'), 'r');
    expect([hasFrames(small, 20), hasFrames(small, 60)]).toEqual([true, false]);
    closeSync(small);
    other.close();
  });

  it('is zero after the log was truncated', async () => {
    await large('a');
    await file.checkpoint();
    expect(length()).toBe(0);
  });
});
