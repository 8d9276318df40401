import { existsSync, readFileSync } from 'node:fs';
import { delimiter } from 'node:path';
import { node, path, root, run, Trouble } from './workspace.mjs';

const UNREACHABLE = /ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ERR_SOCKET_TIMEOUT|network/;

/** Installs the packages of the lock file, unless node_modules has them. Throws `Trouble` if npm fails. */
export async function install() {
  if (Number(process.versions.node.split('.')[0]) < 20)
    throw new Trouble(`Node 20 or newer is needed to install Parlance; this is ${process.version}.`);
  if (isInstalled()) return;
  console.log('Installing the packages of the lock file (once, about a minute) …');
  // Without node_modules in the path: npm is about to replace the runtime in it.
  const PATH = (process.env.PATH ?? '')
    .split(delimiter)
    .filter((folder) => !folder.startsWith(path('node_modules')))
    .join(delimiter);
  const { code, output } = await run('npm', ['ci', '--no-audit', '--no-fund', '--loglevel=error'], { env: { ...process.env, PATH } });
  if (code !== 0 && UNREACHABLE.test(output))
    throw new Trouble(
      'The packages could not be fetched: make sure that the registry that `npm config get registry` prints is reachable, then run this again.',
    );
  if (code !== 0) {
    console.error(output);
    throw new Trouble(`\`npm ci\` failed in ${root}: see its output above.`);
  }
  if (!existsSync(node))
    throw new Trouble(
      'The package `node` did not unpack its runtime: allow its install script (npm config set ignore-scripts false) and remove node_modules.',
    );
}

// npm records the installed packages when it has finished. Optional packages may be absent: they are for other platforms.
function isInstalled() {
  if (!existsSync(node)) return false;
  try {
    const wanted = packagesOf('package-lock.json');
    const present = packagesOf('node_modules/.package-lock.json');
    return Object.entries(wanted).every(([name, { version, optional }]) =>
      name === '' || present[name] === undefined ? name === '' || optional === true : present[name].version === version,
    );
  } catch {
    return false;
  }
}

function packagesOf(lockFile) {
  return JSON.parse(readFileSync(path(lockFile), 'utf8')).packages;
}
