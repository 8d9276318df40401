// Pins processes to cores: the measured process to core 0, the load to core 1, so that neither takes time from the other.
import { execFileSync, fork } from 'node:child_process';
import { once } from 'node:events';
import { availableParallelism } from 'node:os';

export const SERVER = 0;
export const LOAD = 1;
/** The machine's cores; a pinned process sees fewer. */
const CORES = availableParallelism();

/** Why processes cannot be pinned on this machine; null if they can. */
export const unpinned = lacking();

function lacking() {
  if (CORES < 2) return 'there is only one core';
  try {
    execFileSync('taskset', ['-c', `${SERVER},${LOAD}`, 'true'], { stdio: 'ignore' });
    return null;
  } catch {
    return 'there is no taskset that may use cores 0 and 1';
  }
}

/** Pins a running process with all its threads to one core. Threads and processes that it starts later inherit the core. */
export function pin(core, pid = process.pid) {
  if (!unpinned) execFileSync('taskset', ['-acp', String(core), String(pid)], { stdio: 'ignore' });
}

/** Lets a running process use every core again. */
export function unpin(pid = process.pid) {
  if (!unpinned) execFileSync('taskset', ['-acp', `0-${CORES - 1}`, String(pid)], { stdio: 'ignore' });
}

/** Runs a module as its own process on the server's core. `flags` are for Node. It ends when this process ends, because its channel closes. */
export function forkServer(file, args = [], flags = []) {
  const pinned = unpinned ? { execArgv: flags } : { execPath: 'taskset', execArgv: ['-c', String(SERVER), process.execPath, ...flags] };
  return fork(file, args, { stdio: ['ignore', 'ignore', 'inherit', 'ipc'], ...pinned });
}

/** Runs a module that sends one message, its result. Rejects if it ends without a result. */
export async function resultOf(file, args, flags = []) {
  const child = forkServer(file, args, flags);
  const failed = new AbortController();
  child.once('exit', (code, signal) => failed.abort(new Error(`${file} ended with ${code ?? signal} before it had a result`)));
  const [result] = await once(child, 'message', { signal: failed.signal }).catch((error) => {
    throw failed.signal.reason ?? error;
  });
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
  return result;
}
