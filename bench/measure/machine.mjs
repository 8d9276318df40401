// The context of a figure: the time, the commit and the machine.
import { execFileSync } from 'node:child_process';
import { readFileSync, statfsSync } from 'node:fs';
import { cpus, tmpdir, totalmem } from 'node:os';
import { fileURLToPath } from 'node:url';
import { unpinned } from './cores.mjs';

const TMPFS = 0x01021994;
const STEAL = 7;

export function machine(node) {
  return {
    date: new Date().toISOString(),
    commit: commit(),
    node,
    cpu: `${cpus()[0]?.model.trim() ?? 'unknown'}, ${cpus().length} cores`,
    memory: `${Math.round(totalmem() / 2 ** 30)} GB`,
    pinned: unpinned === null,
  };
}

/** Conditions of this machine that distort figures. */
export function reservations() {
  const found = [];
  if (unpinned) found.push(`not pinned: ${unpinned}, so the load generator and the server compete for processor time`);
  if (statfsSync(tmpdir()).type === TMPFS)
    found.push(`${tmpdir()} is in memory, where a sync costs nothing: set TMPDIR to a folder on a disk`);
  return found;
}

/**
 * Starts measuring the share of processor time that the host gave to other machines although this one needed it (steal). The kernel counts
 * such time as work of the waiting process. The returned function returns null if the kernel does not report it.
 */
export function stolen() {
  const from = processorTimes();
  return () => {
    const to = processorTimes();
    if (from === null || to === null) return null;
    const spent = to.map((ticks, index) => ticks - from[index]);
    return spent[STEAL] / spent.reduce((sum, ticks) => sum + ticks, 0);
  };
}

/** Times of all cores since the machine started, in the kernel's order: user, nice, system, idle, iowait, irq, softirq, steal. */
function processorTimes() {
  try {
    return readFileSync('/proc/stat', 'utf8')
      .split('\n')[0]
      .trim()
      .split(/\s+/)
      .slice(1, STEAL + 2)
      .map(Number);
  } catch {
    return null;
  }
}

/** The commit, marked if there are uncommitted changes other than results. */
function commit() {
  const cwd = fileURLToPath(new URL('../..', import.meta.url));
  const git = (...args) =>
    execFileSync('git', ['--no-optional-locks', ...args], { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim();
  try {
    const changed = git('status', '--porcelain', '--', '.', ':!bench/results') !== '';
    return `${git('rev-parse', '--short=12', 'HEAD')}${changed ? ' with changes' : ''}`;
  } catch {
    return 'unknown';
  }
}
