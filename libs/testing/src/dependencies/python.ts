import { join } from 'node:path';
import { cached } from './cache.ts';
import { run } from '../run.ts';

/** Python compiles the few modules that it imports. Compiling all of them takes longer. */
const FLAGS = ['--quiet', '--disable-pip-version-check', '--no-compile'];

/**
 * The interpreter of a virtual environment with these packages. It is created if it is not in the cache. The folder is moved after it was filled,
 * so run its programs with `python -m`: its scripts contain the original path.
 */
export async function pythonWith(name: string, packages: readonly string[]): Promise<string> {
  const folder = await cached(name, async (partial) => {
    await run('python3', ['-m', 'venv', partial]);
    await run(join(partial, 'bin', 'python'), ['-m', 'pip', 'install', ...FLAGS, ...packages]);
  });
  return join(folder, 'bin', 'python');
}
