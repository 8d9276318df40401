import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { DataDirectory } from './data-directory.ts';

describe('the data directory', () => {
  let base: string;
  beforeEach(() => {
    base = mkdtempSync(join(tmpdir(), 'parlance-data-'));
  });
  afterEach(() => rmSync(base, { recursive: true, force: true }));

  it('is created if it does not exist', () => {
    const directory = DataDirectory.take(join(base, 'a', 'b'));
    expect(directory.file('x.db')).toBe(join(base, 'a', 'b', 'x.db'));
    directory.release();
  });
  it('is refused to a second process', () => {
    const first = DataDirectory.take(base);
    expect(() => DataDirectory.take(base)).toThrow(/in use by another process/);
    first.release();
  });
  it('is free again when the first process has released it', () => {
    DataDirectory.take(base).release();
    DataDirectory.take(base).release();
  });
  it('is refused with a one-line message if it cannot be created', () => {
    writeFileSync(join(base, 'file'), '');
    expect(() => DataDirectory.take(join(base, 'file', 'below'))).toThrow(/^dataDir .* can't be written \(ENOTDIR\)/);
  });
  it('holds data from its first database on; its lock file does not count', () => {
    const directory = DataDirectory.take(base);
    expect(directory.holdsData()).toBe(false);
    writeFileSync(directory.file('bots.db'), '');
    expect(directory.holdsData()).toBe(true);
    directory.release();
  });
});
