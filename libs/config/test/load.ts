import { afterAll } from '@jest/globals';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Config } from '../src/config.ts';
import { ConfigError } from '../src/loading/config-error.ts';
import { loadConfig } from '../src/loading/load-config.ts';

export const cwd = mkdtempSync(join(tmpdir(), 'parlance-config-'));
afterAll(() => rmSync(cwd, { recursive: true }));

export let files = 0;

/** Loads from a file with this content (null: no file) and these variables, named without their prefix. */
export function load(file: object | string | null, env: Record<string, string> = {}): Config {
  const variables = Object.fromEntries(Object.entries(env).map(([name, value]) => [`PARLANCE_${name}`, value]));
  if (file === null) return loadConfig({ argv: [], env: { ...variables, PATH: '/bin' }, cwd });
  const name = `${(files += 1)}.json`;
  writeFileSync(join(cwd, name), typeof file === 'string' ? file : JSON.stringify(file));
  return loadConfig({ argv: ['start', '--config', name], env: variables, cwd });
}

export function complaint(file: object | string | null, env: Record<string, string> = {}): string {
  try {
    load(file, env);
  } catch (error) {
    if (error instanceof ConfigError) return error.message;
    throw error;
  }
  throw new Error('the configuration was accepted');
}

export const objectStore = { type: 's3', region: 'eu-central-1', bucket: 'parlance', accessKeyId: 'AKIA1', secretAccessKey: 'canary-5e1f' };
