import { mkdirSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { node, path, projectsWith, run, Trouble } from './workspace.mjs';

const CONSOLE = 'apps/console';
/** The library that is bundled into the console. */
const CLIENT = 'libs/client/src';
/** Exists during a build, so that an interrupted build is repeated. */
const UNFINISHED = path('.cache/console-unfinished');
/** Not in the built console, or written by the build itself. */
const NOT_A_SOURCE = /^(?:node_modules|dist|test|coverage|\..*|.*\.tsbuildinfo)$/;

/**
 * Builds the web console if its sources are newer than its files. Libraries are bundled from their sources, so they need not be built.
 * Types are checked elsewhere. Throws `Trouble` if the build fails.
 */
export async function buildConsole() {
  if (!projectsWith('build').includes(CONSOLE) || isBuilt([CONSOLE, CLIENT])) return;
  console.log('Building the web console …');
  mkdirSync(dirname(UNFINISHED), { recursive: true });
  writeFileSync(UNFINISHED, '');
  const { code, output } = await run(node, [path(CONSOLE, 'build.mjs')]);
  if (code !== 0) {
    console.error(output);
    throw new Trouble('The build of the web console failed: the errors are above.');
  }
  rmSync(UNFINISHED);
}

function isBuilt(folders) {
  const built = timeOf(path(CONSOLE, 'dist/index.html'));
  if (built === 0 || timeOf(UNFINISHED) > 0) return false;
  // The lock file counts too: another version of a package changes the built console.
  return [path('package-lock.json'), ...folders.flatMap((folder) => [...sourcesIn(path(folder))])].every((file) => timeOf(file) <= built);
}

/** The files and folders below a folder. A folder is as new as the last file that was added to it or removed. */
function* sourcesIn(folder) {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    if (NOT_A_SOURCE.test(entry.name)) continue;
    yield join(folder, entry.name);
    if (entry.isDirectory()) yield* sourcesIn(join(folder, entry.name));
  }
}

/** 0 if there is no such file. */
const timeOf = (file) => statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0;
