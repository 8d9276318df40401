// What each spec file takes: time, processor time, and what it starts. `npm run test:times` shows it.
import { subscribe } from 'node:diagnostics_channel';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));
export const TIMES = join(root, '.cache/times');
let starts = {};

// libs/testing and other helpers report there what they start.
subscribe('parlance.test.start', (kind) => void (starts[kind] = (starts[kind] ?? 0) + 1));

/** Call it before a spec file. It returns the function that writes down what the file took. */
export function measure(file) {
  const before = usage();
  starts = {};
  return () => {
    const after = usage();
    const [seconds, own, children, idle] = ['at', 'own', 'children', 'idle'].map((each) => round(after[each] - before[each]));
    // Specs that specs write are elsewhere.
    if (relative(root, file).startsWith('..')) return;
    const to = timesOf(file);
    mkdirSync(dirname(to), { recursive: true });
    writeFileSync(to, JSON.stringify({ file: relative(root, file), seconds, cpu: round(own + children), idle, starts }));
  };
}

export const timesOf = (file) => join(TIMES, `${relative(root, file)}.json`);

/** In seconds. `children` are the processes that have ended. */
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
