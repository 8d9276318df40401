// Paths of the repository and functions that run programs. Everything here must work with Node 20, because it runs before the
// runtime of the lock file is installed.
import { spawn } from 'node:child_process';
import { readdirSync, readFileSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = fileURLToPath(new URL('..', import.meta.url));
const SHARED_MEMORY = '/dev/shm';
const MEMORY_NEEDED = 4 * 1024 ** 3;
export const path = (...parts) => join(root, ...parts);

/** The Node of the lock file, not the `node` in the path of the shell. */
export const node = path('node_modules/node/bin/node');

/** The path of a package's program, which `node` runs. */
export const bin = (name) => path('node_modules/.bin', name);

/** Node keeps compiled code there, which saves a third of the start of the product. */
export const cacheOfCompiledCode = { NODE_COMPILE_CACHE: path('.cache/compiled') };

/**
 * The environment of checks. Temporary files are in memory if it is large enough, so that specs do not wait for the disk. Tests about
 * the disk choose their own folders.
 */
export function environmentOfTests() {
  const { NO_COLOR, ...env } = process.env;
  return {
    TMPDIR: memory(),
    TMPDIR_ON_DISK: tmpdir(),
    ...env,
    ...cacheOfCompiledCode,
    NX_DAEMON: 'false',
    NX_NO_CLOUD: 'true',
    NX_TUI: 'false',
    FORCE_COLOR: '0',
    npm_config_loglevel: 'silent',
    KAFKAJS_NO_PARTITIONER_WARNING: '1',
    LANCEDB_LOG: 'error',
  };
}

function memory() {
  try {
    const { bavail, bsize } = statfsSync(SHARED_MEMORY);
    return bavail * bsize > MEMORY_NEEDED ? SHARED_MEMORY : tmpdir();
  } catch {
    return tmpdir();
  }
}

/** An error that the user can fix. It is printed in one line without a stack. */
export class Trouble extends Error {}

/** Runs a program to its end and keeps its output. Resolves with any exit code. */
export function run(command, args, { env = process.env, cwd = root } = {}) {
  return new Promise((resolve) => {
    const child = spawn(command, args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] });
    const chunks = [];
    child.stdout.on('data', (chunk) => chunks.push(chunk));
    child.stderr.on('data', (chunk) => chunks.push(chunk));
    child.once('error', (error) => resolve({ code: 1, output: error.message }));
    child.once('close', (code) => resolve({ code: code ?? 1, output: Buffer.concat(chunks).toString('utf8').trim() }));
  });
}

/** Runs the work for the items in order, two at a time. */
export async function twoAtATime(items, work) {
  const queue = [...items];
  const lane = async () => {
    for (let item = queue.shift(); item !== undefined; item = queue.shift()) await work(item);
  };
  await Promise.all([lane(), lane()]);
}

/** The folders of apps and libs, relative to the top, that have this script. */
export function projectsWith(script) {
  return ['apps', 'libs'].flatMap((kind) =>
    readdirSync(path(kind))
      .map((name) => `${kind}/${name}`)
      .filter((project) => scriptsOf(project)[script] !== undefined),
  );
}

function scriptsOf(project) {
  try {
    return JSON.parse(readFileSync(path(project, 'package.json'), 'utf8')).scripts ?? {};
  } catch {
    return {};
  }
}
