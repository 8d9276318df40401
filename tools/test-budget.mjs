// Checks tools/test-budget.json: how many servers `npm test` may start, and how long the specs of each project may take.
// `npm run test:times` prints the most expensive spec files.
import { globSync, readFileSync } from 'node:fs';
import { path } from './workspace.mjs';

const SHOWN = 30;
const { starts: allowed, minutes } = JSON.parse(readFileSync(path('tools/test-budget.json'), 'utf8'));
/** Times depend on the machine. A project is marked when it takes more than this many times its minutes. */
const TOLERANCE = 2;
/** Projects whose specs take less time than this have no entry in the budget. */
const SHORT = 0.5;

/** Lines to print, and the kinds of servers started too often, which fail a run. `files` come from the quiet reporter; `shared` counts common servers. */
export function budgetReport(files, shared) {
  const started = startsOf([...files, { starts: shared }]);
  const exceeded = Object.entries(allowed)
    .filter(([kind, most]) => (started[kind] ?? 0) > most)
    .map(([kind, most]) => `started ${kind} ${started[kind]} times, and tools/test-budget.json allows ${most}`);
  const used = minutesOf(files).filter(({ name, taken }) => taken > Math.max(SHORT, TOLERANCE * (minutes[name] ?? 0)) || minutes[name]);
  const project = ({ name, taken, longest }) =>
    `${name} ${taken.toFixed(1)} of ${minutes[name] ?? 0}${
      taken > TOLERANCE * (minutes[name] ?? 0) ? ` (! ${longest.file} took ${longest.seconds.toFixed(0)} s)` : ''
    }`;
  return {
    lines: [
      `starts: ${Object.keys(allowed)
        .map((kind) => `${kind} ${started[kind] ?? 0} of ${allowed[kind]}`)
        .join(', ')}`,
      `minutes: ${used.map(project).join(', ')}`,
    ],
    exceeded,
  };
}

/** The starts of each kind. A server that each worker starts for its spec files counts once: the number of workers that need it varies. */
function startsOf(files) {
  const sum = {};
  const shared = new Set();
  for (const { starts = {} } of files) {
    for (const [name, count] of Object.entries(starts)) {
      const [kind, isShared] = name.split(' shared as ');
      if (isShared && shared.has(name)) continue;
      shared.add(name);
      sum[kind] = (sum[kind] ?? 0) + (isShared ? 1 : count);
    }
  }
  return sum;
}

/** The minutes of each project, longest first. */
function minutesOf(files) {
  const projects = Map.groupBy(files, ({ file }) => file.split('/').slice(0, 2).join('/'));
  return Array.from(projects, ([name, its]) => ({
    name,
    taken: its.reduce((sum, { seconds = 0 }) => sum + seconds / 60, 0),
    longest: its.toSorted((a, b) => (b.seconds ?? 0) - (a.seconds ?? 0))[0],
  })).toSorted((a, b) => b.taken - a.taken);
}

function printTimes() {
  const files = globSync('.cache/times/**/*.json', { cwd: path('.') }).map((file) => JSON.parse(readFileSync(path(file), 'utf8')));
  const line = (name, { seconds, cpu, idle, starts }) =>
    `${name.padEnd(72)} ${[seconds, cpu, idle].map((each) => each.toFixed(1).padStart(8)).join('')}  ${Object.entries(starts)
      .map(([kind, count]) => `${kind} ${count}`)
      .join(', ')}`;
  console.log(`${''.padEnd(72)}  seconds     CPU    idle  starts`);
  for (const each of files.toSorted((a, b) => b.seconds - a.seconds).slice(0, SHOWN)) console.log(line(each.file, each));
  const sum = (key) => files.reduce((total, each) => total + each[key], 0);
  console.log(line(`${files.length} files`, { seconds: sum('seconds'), cpu: sum('cpu'), idle: sum('idle'), starts: startsOf(files) }));
}

if (process.argv[1] === path('tools/test-budget.mjs')) printTimes();
