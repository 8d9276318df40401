import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { cachePath } from './cache.ts';
import { pythonWith } from './python.ts';

const VENV = 'schemathesis/venv';
const PACKAGE = 'schemathesis==4.32.5';

export function schemathesisPath(): string {
  return cachePath(VENV);
}

/**
 * Runs schemathesis, which generates requests from an OpenAPI document. Resolves with its report of wrong answers, or null if there are none. The
 * arguments are passed to its `run`.
 */
export async function objectionsOfSchemathesis(configFile: string, args: readonly string[]): Promise<string | null> {
  const python = await pythonWith(VENV, [PACKAGE]);
  // schemathesis writes its database of examples to the working directory.
  const directory = await mkdtemp(join(tmpdir(), 'parlance-schemathesis-'));
  try {
    return await new Promise((resolve, reject) => {
      const child = spawn(python, ['-m', 'schemathesis.cli', '--config-file', configFile, 'run', ...args], {
        cwd: directory,
        // Makes the requests of a run depend on the seed in the arguments alone. Random ones sometimes take ten times as long to generate.
        env: { ...process.env, PYTHONHASHSEED: '0' },
        stdio: ['ignore', 'pipe', 'pipe'],
      });
      let output = '';
      const keep = (chunk: string) => (output += chunk);
      child.stdout.setEncoding('utf8').on('data', keep);
      child.stderr.setEncoding('utf8').on('data', keep);
      child.once('error', reject);
      child.once('close', (code) => resolve(code === 0 ? null : output));
    });
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}
