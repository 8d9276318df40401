// Uses strace to watch system calls of the product and to make them fail. kill -9 cannot reveal a missing fsync, because the kernel keeps
// written data.
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';

/** Why strace cannot be used here; undefined if it can. */
export function missing() {
  const { error, status, stderr } = spawnSync('strace', ['-D', '-f', '-o', '/dev/null', 'true'], { encoding: 'utf8' });
  if (error) return 'strace is not installed';
  return status === 0 ? undefined : `strace may not watch processes here: ${stderr.trim().split('\n').at(-1)}`;
}

// -D: strace runs as a separate process, so the product stays the process that is watched and killed.
const strace = ['strace', '-D', '-f', '-qq'];

/** A command that runs the product, given as its last arguments, and writes its system calls to a file. */
export function watching(file) {
  // Prints whole pages, and the file of each descriptor.
  return [...strace, '--seccomp-bpf', '-yy', '-s', '5000', '-o', file, '-e', 'trace=fsync,fdatasync,pwrite64,write,writev,sendto'];
}

/** A command under which the product crashes when one of its threads starts its n-th sync. */
export function dyingAtSync(n) {
  const syncs = 'fsync,fdatasync';
  // Without --seccomp-bpf, which stops threads that cannot be sent a signal.
  return [...strace, '-o', '/dev/null', '-e', `trace=${syncs}`, '-e', `inject=${syncs}:signal=KILL:when=${n}`];
}

/** A command under which one thread's writes fail with a full disk, from its n-th to its m-th. It writes its system calls to a file. */
export function fullFrom(n, m, file) {
  return [...strace, '-o', file, '-e', 'trace=pwrite64', '-e', `inject=pwrite64:error=ENOSPC:when=${n}..${m}`];
}

/** A command under which the n-th sync of a thread fails as on a broken disk. It writes its system calls to a file. */
export function failingAtSync(n, file) {
  const syncs = 'fsync,fdatasync';
  return [...strace, '-o', file, '-e', `trace=${syncs}`, '-e', `inject=${syncs}:error=EIO:when=${n}`];
}

/** How many system calls have failed on purpose. */
export const failedOnPurpose = (file) => (existsSync(file) ? readFileSync(file, 'utf8').split('(INJECTED)').length - 1 : 0);

const LINE = /^(\d+)\s+(?:<\.\.\. (\w+) resumed>|(\w+)\(\d+<(.*?)>(?=[,)]| <unfinished|$))(.*)$/s;

/**
 * The calls in a trace, in the order in which they started: `begun` and `done` are line numbers. Lines follow causality: a thread is
 * stopped at each end of a call until strace has written it.
 */
export function callsOf(trace) {
  const calls = [];
  const open = new Map();
  for (const [number, line] of trace.split('\n').entries()) {
    const [, thread, resumed, name, target, rest] = LINE.exec(line) ?? [];
    if (thread === undefined) continue;
    if (resumed !== undefined) {
      const call = open.get(thread);
      if (call?.name === resumed) finish(call, number, rest);
      open.delete(thread);
      continue;
    }
    const call = { name, target, text: rest, begun: number, done: Infinity, failed: false };
    calls.push(call);
    if (rest.endsWith('<unfinished ...>')) open.set(thread, call);
    else finish(call, number, rest);
  }
  return calls;
}

function finish(call, number, rest) {
  call.done = number;
  call.failed = !/= \d+$/.test(rest);
}
