// What a figure is worth nothing without: when it was taken, of what, on which machine.
import { execFileSync } from 'node:child_process';
import { statfsSync } from 'node:fs';
import { cpus, tmpdir, totalmem } from 'node:os';
import { fileURLToPath } from 'node:url';
import { unpinned } from './cores.mjs';

const TMPFS = 0x01021994;

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

/** What makes figures taken here mean something else. */
export function reservations() {
  const found = [];
  if (unpinned) found.push(`not pinned: ${unpinned}, so load and server take each other's time`);
  if (statfsSync(tmpdir()).type === TMPFS)
    found.push(`${tmpdir()} is in memory, where a sync costs nothing: set TMPDIR to a folder on a disk`);
  return found;
}

/** Changes that are not committed are said, except those of the results themselves. */
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
