// `npm run bench [name …]`: measures, prints tables, and writes the figures to bench/results. With --ci: runs short forms, which can fail
// only by ratios within one run and by invariants, and prints one line each.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { patience } from '@parlance/testing';
import { writeResults } from '../tools/results.mjs';
import { node, path } from '../tools/workspace.mjs';
import { reaches } from './measure/figures.mjs';
import { machine, reservations, stolen } from './measure/machine.mjs';
import { amount, limit, table } from './measure/table.mjs';

const benches = {
  append: 'append to the event store',
  message: 'a message, from the request to the figures',
  replies: 'replies by a provider, and their streams',
  openai: 'calls of programs in the form of OpenAI',
  calls: 'calls of models without a bot',
  'relay-lag': "from one service's log to another's answers",
  rebuild: 'rebuild of a projection',
  edge: 'the cost of the edge',
  'sign-in': 'signing in with a password',
  'personal-tokens': 'requests with a personal access token',
  audit: 'audit entries',
  analytics: 'endpoints for administrators',
  retrieval: 'search in the knowledge of bots',
  knowledge: 'knowledge of a bot, from the files to the search',
  store: 'lists of bots, and the search of the store',
  exports: 'exports of conversations, and SQL over them',
  'own-export': "export of a user's own data",
  retention: 'a round of retention rules, and commands meanwhile',
  migrate: 'import of an export of another product',
  start: 'start',
  console: 'the web console on a slow processor',
};
const STOLEN_AT_MOST = 0.02;
/** Long enough for any bench that does not hang. */
const FULL_MINUTES = 30;
const SHORT_MINUTES = 10;

const isCi = process.argv.includes('--ci');
const requested = process.argv.slice(2).filter((argument) => argument !== '--ci');
const unknown = requested.find((name) => !Object.hasOwn(benches, name));
if (unknown !== undefined) stop(`bench: there is no ${unknown}; there are: ${Object.keys(benches).join(', ')}, and --ci`);
if (!existsSync(path('apps/parlance/dist/main.js'))) stop('bench: nothing is built yet: npm run build');

const total = { passed: 0, failed: 0, skipped: [], failures: [] };
for (const reservation of reservations()) console.log(`bench: ${reservation}`);
for (const name of requested.length > 0 ? requested : Object.keys(benches)) {
  const start = performance.now();
  const outcome = isCi ? await checked(name) : await attempt(name);
  const seconds = (performance.now() - start) / 1_000;
  if (isCi) check(name, outcome, seconds);
  else show(name, outcome, seconds);
  total.skipped.push(...outcome.skipped);
}
writeResults(total);
process.exitCode = total.failed === 0 ? 0 : 1;

function stop(message) {
  console.error(message);
  process.exit(2);
}

/** Runs a bench and notes conditions of the machine that distort it. A bench that ended without figures has an `error`. */
async function attempt(name) {
  const share = stolen();
  const outcome = await measure(name).catch((error) => ({ rows: [], invariants: [], skipped: [], notes: [], error: error.message }));
  const taken = share();
  if (taken > STOLEN_AT_MOST)
    outcome.notes.push(
      `The host of this machine gave ${(100 * taken).toFixed(0)} % of its processor time to others: measure again when it is quiet.`,
    );
  return outcome;
}

/**
 * Measures a second time if only ratios failed, because other work of the machine may have slowed one side of a comparison. A real slowdown
 * fails twice. After an error or a broken invariant the bench is not repeated.
 */
async function checked(name) {
  const first = await attempt(name);
  const slow = missedGates(first);
  if (slow.length === 0 || first.error !== undefined || broken(first.invariants).length > 0) return first;
  const second = await attempt(name);
  second.notes.push(`Measured twice. The first measurement failed: ${slow.join('; ')}.`);
  return second;
}

/** Runs each bench in its own process, so that compiled code, heap and open files of one do not affect the next. */
async function measure(name) {
  const child = fork(path('bench/one.mjs'), [name, isCi ? 'short' : 'full'], { execPath: node, detached: true });
  const endAll = () => {
    try {
      process.kill(-child.pid, 'SIGKILL');
    } catch {
      // The process has already ended.
    }
  };
  const leave = () => {
    endAll();
    process.exit(130);
  };
  const failed = new AbortController();
  const limitMinutes = patience(isCi ? SHORT_MINUTES : FULL_MINUTES);
  const impatience = setTimeout(() => failed.abort(new Error(`it took longer than ${limitMinutes} minutes`)), limitMinutes * 60_000);
  child.once('exit', (code, signal) => failed.abort(new Error(`it ended with ${code ?? signal}: see above`)));
  for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, leave);
  try {
    const [outcome] = await once(child, 'message', { signal: failed.signal }).catch(() => {
      throw failed.signal.reason;
    });
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
    return outcome;
  } finally {
    clearTimeout(impatience);
    endAll();
    for (const signal of ['SIGINT', 'SIGTERM']) process.removeListener(signal, leave);
  }
}

/** Checks the gates and the invariants, for CI. */
function check(name, outcome, seconds) {
  const { rows, invariants, notes, skipped, error } = outcome;
  const gated = rows.filter(({ gate }) => gate !== null);
  const problems = [...(error === undefined ? [] : [error]), ...missedGates(outcome), ...broken(invariants)];
  total.failed += problems.length;
  total.failures.push(...problems.map((problem) => `bench ${name}: ${problem}`));
  total.passed += gated.length + invariants.length - (problems.length - (error === undefined ? 0 : 1));
  const summary =
    problems.length > 0 ? `FAILED\n  ${problems.join('\n  ')}` : `${gated.length + invariants.length} ratios and invariants hold`;
  console.log(`${name}: ${summary} (${seconds.toFixed(0)} s)`);
  for (const line of [...notes, ...skipped.map((reason) => `skipped: ${reason}`)]) console.log(`  ${line}`);
}

function missedGates({ rows }) {
  return rows
    .filter(({ gate }) => gate !== null)
    .filter(isBelow('gate'))
    .map(({ what, measured, unit, gate }) => `${what.trim()}: ${amount(measured)}, not ${limit(gate, unit)}`);
}

function show(name, { rows, invariants, notes, skipped, node: version, error }, seconds) {
  console.log(`\n${benches[name]} (${seconds.toFixed(0)} s)`);
  const problems = [...(error === undefined ? [] : [error]), ...broken(invariants)];
  const missed = rows.filter(isBelow('bar'));
  for (const line of rows.length > 0 ? table(rows) : []) console.log(line);
  for (const note of notes) console.log(`  ${note}`);
  for (const reason of skipped) console.log(`  skipped: ${reason}`);
  for (const problem of problems) console.log(`  ✗ ${problem}`);
  total.failed += problems.length + missed.length;
  total.passed += rows.filter(({ bar }) => bar !== null).length - missed.length + invariants.length - broken(invariants).length;
  if (error === undefined) keep(name, rows, invariants, { node: version, notes, skipped });
}

function keep(name, rows, invariants, { node: version, notes, skipped }) {
  const barred = rows.filter(({ bar }) => bar !== null);
  const isMet = barred.length === 0 ? null : !barred.some(isBelow('bar')) && broken(invariants).length === 0;
  const named = fullNames(rows);
  const figures = rows.map(({ measured, unit, bar, against }, index) => ({
    what: named[index],
    measured: Number.isFinite(measured) ? Number(measured.toPrecision(4)) : null,
    unit,
    bar,
    against,
    met: reaches(measured, bar),
  }));
  mkdirSync(path('bench/results'), { recursive: true });
  const text = JSON.stringify(
    { bench: name, ...machine(version), met: isMet, figures, broken: broken(invariants), notes, skipped },
    null,
    2,
  );
  writeFileSync(path(`bench/results/${name}.json`), `${text}\n`);
}

/** In a table, indentation shows which figure a line belongs to. In a file, each name repeats that figure's name. */
function fullNames(rows) {
  const above = [];
  return rows.map(({ what }) => {
    const depth = /^ */.exec(what)[0].length / 2;
    above.splice(depth, Infinity, what.trim());
    return above.join(', ');
  });
}

function isBelow(kind) {
  return (row) => reaches(row.measured, row[kind]) === false;
}

function broken(invariants) {
  return invariants.filter(({ holds }) => !holds).map(({ what, detail }) => `${what}: ${detail}`);
}
