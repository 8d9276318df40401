// Who runs where: what is measured on core 0, what asks it on core 1, so that neither takes the other's time.
import { execFileSync, fork } from 'node:child_process';
import { once } from 'node:events';
import { availableParallelism } from 'node:os';

export const SERVER = 0;
export const LOAD = 1;

/** Why processes can't be pinned here; null when they can. */
export const unpinned = lacking();

function lacking() {
  if (availableParallelism() < 2) return 'there is one core only';
  try {
    execFileSync('taskset', ['-c', `${SERVER},${LOAD}`, 'true'], { stdio: 'ignore' });
    return null;
  } catch {
    return 'there is no taskset that may use cores 0 and 1';
  }
}

/** Keeps a running process, all threads of it, on one core; those that it starts later inherit that. */
export function pin(core, pid = process.pid) {
  if (!unpinned) execFileSync('taskset', ['-acp', String(core), String(pid)], { stdio: 'ignore' });
}

/** Lets this process run on every core again. */
export function unpin() {
  if (!unpinned) execFileSync('taskset', ['-acp', `0-${availableParallelism() - 1}`, String(process.pid)], { stdio: 'ignore' });
}

/** Runs a module as a process of its own on the server's core. It ends with us, since our end of its channel does. */
export function forkServer(file, args = []) {
  const pinned = unpinned ? {} : { execPath: 'taskset', execArgv: ['-c', String(SERVER), process.execPath] };
  return fork(file, args, { stdio: ['ignore', 'ignore', 'inherit', 'ipc'], ...pinned });
}

/** Runs a module that says one thing, its result. Rejects when it ends without. */
export async function resultOf(file, args) {
  const child = forkServer(file, args);
  const failed = new AbortController();
  child.once('exit', (code, signal) => failed.abort(new Error(`${file} ended with ${code ?? signal} before it had a result`)));
  const [result] = await once(child, 'message', { signal: failed.signal }).catch((error) => {
    throw failed.signal.reason ?? error;
  });
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
  return result;
}
