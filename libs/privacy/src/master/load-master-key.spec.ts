import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chmod, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { loadMasterKey, MasterKeyUnusable } from './load-master-key.ts';
import type { MasterKey } from './master-key.ts';

const sameKey = (one: MasterKey, other: MasterKey) => expect(other.unwrap(one.wrap(randomBytes(32)))).toHaveLength(32);

describe('a master key file', () => {
  let directory: string;
  let file: string;
  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), 'parlance-master-'));
    file = join(directory, 'data', 'master.key');
  });
  afterEach(() => rm(directory, { recursive: true }));

  it('is created at the first start, only for its owner, and used at the next start', async () => {
    const first = loadMasterKey({ file });
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    expect(Buffer.from((await readFile(file, 'utf8')).trim(), 'base64')).toHaveLength(32);
    sameKey(first, loadMasterKey({ file }));
    expect(await readdir(join(directory, 'data'))).toEqual(['master.key']);
  });

  it('is created once if many programs start at the same time', async () => {
    // Runs the built code, which Nx builds before the tests.
    const source = new URL('./load-master-key.ts', import.meta.url).href;
    const dist = source.replace('/src/', '/dist/').replace(/\.ts$/, '.js');
    const program = `const { loadMasterKey } = await import(${JSON.stringify(dist)}); process.stdout.write(Buffer.from(loadMasterKey({ file: ${JSON.stringify(file)} }).derive('x')).toString('hex'))`;
    const starts = Array.from({ length: 6 }, () => promisify(execFile)(process.execPath, ['--input-type=module', '-e', program]));
    const keys = (await Promise.all(starts)).map(({ stdout }) => stdout);
    expect(new Set(keys).size).toBe(1);
    expect(await readdir(join(directory, 'data'))).toEqual(['master.key']);
  });

  it.each([0o604, 0o620, 0o660])('is refused with mode %o', async (mode) => {
    loadMasterKey({ file });
    await chmod(file, mode);
    expect(() => loadMasterKey({ file })).toThrow(/open to others.*chmod 600/);
  });

  it('may be readable by its group, like a mounted secret', async () => {
    loadMasterKey({ file });
    await chmod(file, 0o440);
    expect(() => loadMasterKey({ file })).not.toThrow();
  });

  it.each(['', 'not base64', randomBytes(16).toString('base64'), `${randomBytes(32).toString('base64')} x`])(
    'is refused with the content %j',
    async (text) => {
      const odd = join(directory, 'odd.key');
      await writeFile(odd, text, { mode: 0o600 });
      expect(() => loadMasterKey({ file: odd })).toThrow(/must be 32 bytes in base64/);
    },
  );

  it('is requested in a one-line message if it can be neither read nor created', async () => {
    await writeFile(join(directory, 'data'), '');
    expect(() => loadMasterKey({ file })).toThrow(MasterKeyUnusable);
    expect(() => loadMasterKey({ file: directory })).toThrow(/^the master key file [^\n]+ can't be read: EISDIR$/);
    expect(() => loadMasterKey({ file: '/proc/parlance/master.key' })).toThrow(/^the master key file [^\n]+ can't be made: [A-Z]+$/);
  });
});

describe('a master key given as a value', () => {
  it('takes precedence over the file, which is not created', () => {
    const value = randomBytes(32).toString('base64');
    sameKey(loadMasterKey({ value }), loadMasterKey({ value: ` ${value}\n`, file: '/proc/parlance/master.key' }));
  });

  it('is refused if malformed, without revealing it', () => {
    const value = randomBytes(31).toString('base64');
    expect(() => loadMasterKey({ value })).toThrow(MasterKeyUnusable);
    expect(() => loadMasterKey({ value })).not.toThrow(value);
  });

  it('is requested if there is no source', () => expect(() => loadMasterKey({})).toThrow(/masterKeyFile/));
});
