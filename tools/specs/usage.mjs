// Measures each spec file: its time, processor time, and the servers it starts. `npm run test:times` shows the result.
import { subscribe } from 'node:diagnostics_channel';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));
export const TIMES = join(root, '.cache/times');
let starts = {};

// libs/testing and other helpers publish the kind of each server that they start.
subscribe('parlance.test.start', (kind) => void (starts[kind] = (starts[kind] ?? 0) + 1));

/** Starts measuring a spec file. Returns the function that records the result. */
export function measure(file) {
  const before = usage();
  starts = {};
  return () => {
    const after = usage();
    const [seconds, own, children, idle] = ['at', 'own', 'children', 'idle'].map((each) => round(after[each] - before[each]));
    // Ignores specs that other specs generate: they are outside the repository.
    if (relative(root, file).startsWith('..')) return;
    const to = timesOf(file);
    mkdirSync(dirname(to), { recursive: true });
    writeFileSync(to, JSON.stringify({ file: relative(root, file), seconds, cpu: round(own + children), idle, starts }));
  };
}

export const timesOf = (file) => join(TIMES, `${relative(root, file)}.json`);

/** Processor time in seconds. `children` are processes that have ended. */
function usage() {
  const { user, system } = process.cpuUsage();
  return {
    at: performance.now() / 1_000,
    own: (user + system) / 1e6,
    children: ticksOfChildren() / 100,
    idle: performance.eventLoopUtilization().idle / 1_000,
  };
}

function ticksOfChildren() {
  try {
    const fields = readFileSync('/proc/self/stat', 'utf8')
      .replace(/^.*\) /s, '')
      .split(' ');
    return Number(fields[13]) + Number(fields[14]);
  } catch {
    // Not Linux.
    return 0;
  }
}

const round = (seconds) => Math.round(seconds * 1_000) / 1_000;
