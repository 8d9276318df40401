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

  it('is made where there is none', () => {
    const directory = DataDirectory.take(join(base, 'a', 'b'));
    expect(directory.file('x.db')).toBe(join(base, 'a', 'b', 'x.db'));
    directory.release();
  });
  it('is refused to a second process', () => {
    const first = DataDirectory.take(base);
    expect(() => DataDirectory.take(base)).toThrow(/in use by another process/);
    first.release();
  });
  it('is free again when the first has let go', () => {
    DataDirectory.take(base).release();
    DataDirectory.take(base).release();
  });
  it('is refused in one line where it can not be made', () => {
    writeFileSync(join(base, 'file'), '');
    expect(() => DataDirectory.take(join(base, 'file', 'below'))).toThrow(/^dataDir .* can't be written \(ENOTDIR\)/);
  });
  it('holds data from its first database on, and its own lock is none', () => {
    const directory = DataDirectory.take(base);
    expect(directory.holdsData()).toBe(false);
    writeFileSync(directory.file('bots.db'), '');
    expect(directory.holdsData()).toBe(true);
    directory.release();
  });
});
