import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { build } from './build.mjs';
import { path, projectsWith, run, Trouble } from './workspace.mjs';

const CONSOLE = 'apps/console';
/** Exists during a build, so a build that was interrupted is repeated. */
const UNFINISHED = path('.cache/console-unfinished');
/** Not in the built console, or written by the build itself. */
const NOT_A_SOURCE = /^(?:node_modules|dist|test|coverage|\..*|.*\.tsbuildinfo)$/;

/** Builds the web console if its sources are newer than its files. Throws `Trouble` if the build fails. */
export async function buildConsole() {
  if (!projectsWith('build').includes(CONSOLE)) return;
  const libraries = librariesOf(CONSOLE);
  if (isBuilt([CONSOLE, ...libraries.map((library) => join(library, 'src'))])) return;
  console.log('Building the web console …');
  mkdirSync(dirname(UNFINISHED), { recursive: true });
  writeFileSync(UNFINISHED, '');
  for (const library of libraries) await build(library);
  const { code, output } = await run('npm', ['run', 'build', `--workspace=${CONSOLE}`, '--silent', '--no-update-notifier']);
  if (code !== 0) {
    console.error(output);
    throw new Trouble('The build of the web console failed: the errors are above.');
  }
  rmSync(UNFINISHED);
}

/** The libraries of this workspace that the console contains. */
function librariesOf(project) {
  const { dependencies, devDependencies } = JSON.parse(readFileSync(path(project, 'package.json'), 'utf8'));
  const names = new Set(Object.keys({ ...dependencies, ...devDependencies }));
  return projectsWith('build').filter((library) => library.startsWith('libs/') && names.has(`@parlance/${library.slice('libs/'.length)}`));
}

function isBuilt(folders) {
  const built = timeOf(path(CONSOLE, 'dist/index.html'));
  if (built === 0 || timeOf(UNFINISHED) > 0) return false;
  // The lock file: another version of a package makes another console.
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
