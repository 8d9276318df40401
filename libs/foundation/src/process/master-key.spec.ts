import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from '@jest/globals';
import { type Config } from '@parlance/config';
import { loadMasterKey } from '@parlance/privacy';
import { masterKeyThere } from './host.ts';

const directory = mkdtempSync(join(tmpdir(), 'parlance-master-key-'));
afterAll(() => rmSync(directory, { recursive: true }));

describe('the master key of an installation that is inspected and not started', () => {
  const file = join(directory, 'master.key');
  const there = (masterKey: string | null) => masterKeyThere({ masterKey, masterKeyFile: file } as Config);

  it('is not created', () => {
    expect(there(null)).toBeNull();
    expect(existsSync(file)).toBe(false);
  });
  it('is read from its file', () => {
    const made = loadMasterKey({ file });
    expect(there(null)?.derive('a purpose')).toEqual(made.derive('a purpose'));
  });
  it('is the configured key, if any, even if the file contains another', () => {
    const value = Buffer.alloc(32, 7).toString('base64');
    expect(there(value)?.derive('a purpose')).toEqual(loadMasterKey({ value }).derive('a purpose'));
    expect(there(value)?.derive('a purpose')).not.toEqual(there(null)?.derive('a purpose'));
  });
});
