import { type ChildProcess, spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { libraryFolders } from './library-folders.ts';

/** The JavaScript heap as a share of the limit. V8 ends the process if it is exceeded. */
const HEAP_SHARE = 0.6;

const folderOf = (relative: string) => fileURLToPath(new URL(relative, import.meta.url));
const main = folderOf(import.meta.url.endsWith('.ts') ? './main.ts' : './main.js');

/** The code that the process may read: its own modules and the libraries. */
const CODE: readonly string[] = [folderOf('..'), folderOf('../../package.json'), ...libraryFolders(folderOf('../..'))];

export interface StartOptions {
  /** The working directory. The process can read only the files in it and its code. */
  readonly directory: string;
  readonly memoryMebibytes: number;
  readonly drawsPages: boolean;
}

/** Starts a process that reads documents. It ends itself above `memoryBytes`. */
export function startReading({ directory, memoryMebibytes, drawsPages }: StartOptions, memoryBytes: number): ChildProcess {
  return spawn(
    process.execPath,
    [
      `--max-old-space-size=${Math.floor(memoryMebibytes * HEAP_SHARE)}`,
      '--max-semi-space-size=8',
      '--permission',
      ...[directory, ...CODE].map((path) => `--allow-fs-read=${path}`),
      '--allow-worker',
      // The library that draws pages is native code.
      ...(drawsPages ? ['--allow-addons'] : []),
      '--no-warnings',
      main,
      String(memoryBytes),
    ],
    // The environment is empty, because the process needs no keys of the installation.
    { cwd: directory, env: {}, stdio: ['ignore', 'ignore', 'pipe', 'ipc'], serialization: 'advanced' },
  );
}
