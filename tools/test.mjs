// `npm test`: everything that must hold, one line for each step, failures in full. The last line is the sum:
// `N passed, N failed` or `N passed, N failed, N skipped`.
import { existsSync, rmSync } from 'node:fs';
import { inBackground } from './background.mjs';
import { install } from './install.mjs';
import { readResults, summary } from './results.mjs';
import { secondRuns } from './second-runs.mjs';
import { bin, node, path, projectsWith, run, Trouble, twoAtATime } from './workspace.mjs';

const RESULTS = '.cache/results';
const TOOLS_OF_DEPLOY = 'deploy/tools.mjs';
const CONSOLE = 'apps/console';
/** How Nx prints what it runs. */
const STATIC = '--outputStyle=static';
/** Projects whose suites take longest. They run first: at the end they would leave one processor idle. */
const LONGEST = ['apps/parlance', CONSOLE, 'apps/inference'];
const total = { passed: 0, failed: 0, skipped: [], failedOnce: [], failedTests: [] };
const env = { ...process.env, NX_DAEMON: 'false', NX_NO_CLOUD: 'true', NX_TUI: 'false', FORCE_COLOR: '0', npm_config_loglevel: 'silent' };
delete env.NO_COLOR;

/** Those that use one processor the longest come first. */
const staticChecks = [
  ['format', () => oxfmt(['--check'])],
  [
    'lint',
    () => oxlint(['--quiet', ...['apps', 'libs', 'tools', 'bench', 'faults', 'deploy'].filter((folder) => existsSync(path(folder)))]),
  ],
  ['boundaries', () => script('tools/check-boundaries.mjs')],
  ['documents', () => script('tools/write-docs.mjs', ['--check'])],
  ['types of the specs', () => tsc(['-p', 'tsconfig.spec.json'])],
  ['types of the specs for browsers', () => tsc(['-p', 'apps/console/tsconfig.spec.json'])],
];

const [nx, oxfmt, oxlint, tsc] = ['nx', 'oxfmt', 'oxlint', 'tsc'].map((tool) => (args) => run(node, [bin(tool), ...args], { env }));

rmSync(path(RESULTS), { recursive: true, force: true });
// The programs that check deploy/ are built for minutes where they are not yet. A failure is told by the check, which builds what is missing.
const programs = existsSync(path(TOOLS_OF_DEPLOY)) ? inBackground(process.execPath, [path(TOOLS_OF_DEPLOY)]) : () => undefined;
try {
  await step('install', () => install());
  // Nothing of the rest says anything about code that doesn't compile.
  if (await step('build', build)) {
    await twoAtATime(staticChecks, ([name, work]) => step(name, work));
    await step('tests', tests);
    // The benches compare times, and so does a scenario of the faults, so nothing may run beside them.
    await programs();
    for (const file of ['faults/run.mjs', 'deploy/check.mjs', 'bench/run.mjs'])
      if (existsSync(path(file))) await step(file, () => script(file, ['--ci']));
  }
} catch (error) {
  if (!(error instanceof Trouble)) throw error;
  console.error(error.message);
}

for (const name of total.skipped) console.log(`skipped: ${name}`);
// Again, because the failures in full may be thousands of lines above.
for (const name of total.failedTests) console.log(`failed: ${name}`);
for (const name of total.failedOnce) console.log(`failed once: ${name} (passed when it ran again, alone)`);
console.log(summary(total));
process.exitCode = total.failed === 0 ? 0 : 1;

/**
 * Runs one step, which may run beside others. `failed` of its outcome are its failed tests, which it has counted itself. A step that fails
 * without one counts as a failed check.
 */
async function step(name, work) {
  const start = performance.now();
  let outcome;
  try {
    outcome = (await work()) ?? { code: 0 };
  } catch (error) {
    total.failed++;
    throw error;
  }
  const { failed = 0 } = outcome;
  const isGood = outcome.code === 0 && failed === 0;
  if (!isGood && failed === 0) total.failed++;
  if (!isGood && outcome.output) console.log(`\n${outcome.output}\n`);
  console.log(
    `${isGood ? 'ok    ' : 'FAILED'} ${name}${outcome.note ? `: ${outcome.note}` : ''} (${((performance.now() - start) / 1000).toFixed(1)} s)`,
  );
  return isGood;
}

/** One compiler for all projects: it takes less than half of the time of one for each. */
async function build() {
  const compiled = await tsc(['-b', ...projectsWith('build').filter((project) => project !== CONSOLE)]);
  return compiled.code === 0 ? nx(['run-many', '-t', 'build', `--projects=${CONSOLE}`, '--excludeTaskDependencies', STATIC]) : compiled;
}

/**
 * Two projects at a time. Nx alone would begin with what most projects depend on, and end with the longest. Everything is built:
 * an Nx that looked at the builds again would put them back from its cache, below the suites that run beside it.
 */
async function suites() {
  const failed = [];
  await twoAtATime([...LONGEST, ...projectsWith('test').filter((project) => !LONGEST.includes(project))], async (project) => {
    const { code, output } = await nx(['run-many', '-t', 'test', `--projects=${project}`, '--excludeTaskDependencies', STATIC]);
    if (code !== 0) failed.push({ project, output: failedTasks(output) });
  });
  return failed;
}

async function tests() {
  const failed = await suites();
  const first = new Map(projectsWith('test').map((project) => [project, readResults(path(RESULTS, `${project}.json`))]));
  // A suite that died has counted nothing.
  const silent = [...first].filter(([, results]) => !results).map(([project]) => project);
  for (const project of silent) first.delete(project);
  const { results, failedOnce } = await secondRuns(first, { env });
  total.failedOnce.push(...failedOnce);
  const before = { ...total, skipped: total.skipped.length };
  for (const [project, counts] of results) {
    add(project, counts);
    for (const { file, tests: names } of counts.failedFiles)
      total.failedTests.push(...(names.length > 0 ? names : ['did not run']).map((name) => `${project}/${file}: ${name}`));
  }
  total.failed += silent.length;
  const counted = {
    passed: total.passed - before.passed,
    failed: total.failed - before.failed,
    skipped: total.skipped.slice(before.skipped),
  };
  // A project that failed without a failed test, as one that leaves something open does, stays failed.
  const isMended = ({ project }) => first.get(project)?.failed > 0 && results.get(project).failed === 0;
  const stayed = failed.filter((suite) => !isMended(suite));
  const told = failed.filter(isMended);
  if (told.length > 0) console.log(`\nFailed once, passed when they ran again:\n${told.map(({ output }) => output).join('\n')}\n`);
  const output = [...stayed.map((suite) => suite.output), ...silent.map((project) => `${project}: no results were left`)].join('\n');
  return { code: stayed.length > 0 ? 1 : 0, output, note: summary(counted), failed: counted.failed };
}

/** A program of ours that leaves its counts in the file that RESULTS_FILE names. */
async function script(file, args = []) {
  const results = path(RESULTS, `${file.replaceAll('/', '-')}.json`);
  const { code, output } = await run(node, [path(file), ...args], { env: { ...env, RESULTS_FILE: results } });
  const counted = readResults(results);
  add(file, counted);
  return { code, output, note: counted && summary(counted), failed: counted?.failed };
}

function add(where, results) {
  if (!results) return false;
  total.passed += results.passed;
  total.failed += results.failed;
  total.skipped.push(...results.skipped.map((name) => `${where}: ${name}`));
  total.failedTests.push(...results.failures);
  total.failedOnce.push(...results.failedOnce);
  return true;
}

/** The output of the failed tasks, taken from the output of Nx. */
function failedTasks(output) {
  const [tasks = '', verdict = ''] = output.split(/^ ?NX {3}Running target .* failed$/m);
  const failed = new Set([...verdict.matchAll(/^- (\S+:\S+)$/gm)].map(([, task]) => task));
  const blocks = tasks.split(/^(?=> nx run )/m).filter((block) => failed.has(/^> nx run (\S+)/.exec(block)?.[1]));
  return blocks.length > 0 ? blocks.map((block) => block.trim()).join('\n\n') : output;
}
