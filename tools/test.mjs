// `npm test`: what every change must pass, in minutes. `npm run test:full` (`--full`): every check, in an hour, before a release.
// Prints failures in full, one line for each step, and at the end the sum: `N passed, N failed` or `N passed, N failed, N skipped`.
import { execFileSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { inBackground } from './background.mjs';
import { budgetReport } from './test-budget.mjs';
import { build } from './build.mjs';
import { buildConsole } from './build-console.mjs';
import { keysOf, rememberGreen } from './changed.mjs';
import { readResults, summary, writeResults } from './results.mjs';
import { runSpecs } from './run-specs.mjs';
import { staticChecks } from './static-checks.mjs';
import { environmentOfTests, node, path, root, run, Trouble, twoAtATime } from './workspace.mjs';

const RESULTS = '.cache/results';
/** The crashes of `npm test`. In `test:full`, faults/run.mjs decides how many. */
const KILLS = ['kill', '--rounds', '10', '--ci'];
const isFull = process.argv.includes('--full');
const suites = [];

rmSync(path(RESULTS), { recursive: true, force: true });
const env = environmentOfTests();
// The first build of the programs for deploy/ takes minutes, so it starts now. deploy/check.mjs builds what is missing and reports failures.
const deployTools = isFull ? inBackground(process.execPath, [path('deploy/tools.mjs')]) : undefined;
try {
  await step('build', () => Promise.all([build(), buildConsole()]));
  const quick = staticChecks().map(
    ([name, work]) =>
      () =>
        step(name, work),
  );
  if (!isFull) quick.push(() => step('crashes', () => script('faults/run.mjs', KILLS)));
  const checks = twoAtATime(quick, (work) => work());
  await step('specs', specs);
  await checks;
  if (isFull) {
    await step('crashes and faults', () => script('faults/run.mjs', ['--ci']));
    await deployTools();
    await step('deployment', () => script('deploy/check.mjs', ['--ci']));
    // Benches measure times, so nothing runs beside them. Their files are on disk: in memory, an fsync would cost nothing.
    await step('benches', () => script('bench/run.mjs', ['--ci'], { ...env, TMPDIR: env.TMPDIR_ON_DISK }));
  }
} catch (error) {
  // The step counts as failed.
  console.error(error instanceof Trouble ? error.message : error);
}
conclude();

/** Runs one step, possibly beside others. A step that throws counts as one failed check. */
async function step(name, work) {
  const start = performance.now();
  const suite = { name, passed: 0, failed: 0, skipped: [], failures: [] };
  suites.push(suite);
  try {
    const { code = 0, output, counts } = (await work()) ?? {};
    Object.assign(suite, counts);
    if (code !== 0 && suite.failed === 0) suite.failed = 1;
    if (suite.failed > 0 && output) console.log(`\n${output}\n`);
  } catch (error) {
    suite.failed++;
    throw error;
  } finally {
    suite.seconds = (performance.now() - start) / 1_000;
    const note = suite.passed + suite.failed > 0 ? `: ${summary(suite)}` : '';
    console.log(`${suite.failed === 0 ? 'ok    ' : 'FAILED'} ${name}${note} (${suite.seconds.toFixed(1)} s)`);
  }
}

async function specs() {
  const file = path(RESULTS, 'specs.json');
  // Without git there are no keys to remember for `npm run check`.
  const keys = await keysOf().catch(() => new Map());
  const { code, starts } = await runSpecs({ file, isFull, env });
  const { files, ...counts } = readResults(file) ?? { files: [], failed: 1, failures: ['the specs left no results'] };
  rememberGreen(keys, files, counts.failures);
  if (isFull) return { code, counts };
  const { lines, exceeded } = budgetReport(files, starts);
  for (const line of lines) console.log(line);
  return { code, counts: { ...counts, failed: (counts.failed ?? 0) + exceeded.length, failures: [...counts.failures, ...exceeded] } };
}

/** Runs a program of this repository that writes its counts to the file named by RESULTS_FILE. */
async function script(program, args, environment = env) {
  const file = path(RESULTS, `${program.replaceAll('/', '-')}.json`);
  const { code, output } = await run(node, [path(program), ...args], { env: { ...environment, RESULTS_FILE: file } });
  return { code, output, counts: readResults(file) };
}

/** The tested commit, for tools/release.mjs; null if there are uncommitted changes. */
function commit() {
  const git = (...args) => execFileSync('git', args, { cwd: root, encoding: 'utf8' }).trim();
  return git('status', '--porcelain') === '' ? git('rev-parse', 'HEAD') : null;
}

function conclude() {
  const total = { passed: 0, failed: 0, skipped: [] };
  for (const { passed, failed, skipped } of suites) {
    total.passed += passed;
    total.failed += failed;
    total.skipped.push(...skipped);
  }
  for (const { name, skipped } of suites) for (const what of skipped) console.log(`skipped: ${name}: ${what}`);
  // Repeated here, because the full failures may be thousands of lines above.
  for (const { name, failures } of suites) for (const what of failures) console.log(`failed: ${name}: ${what}`);
  if (isFull) {
    for (const suite of suites)
      console.log(`${suite.name.padEnd(32)} ${summary(suite).padEnd(36)} ${suite.seconds.toFixed(0).padStart(6)} s`);
    writeResults({ commit: commit(), ...total, suites }, path(RESULTS, 'full.json'));
  }
  console.log(summary(total));
  process.exitCode = total.failed === 0 ? 0 : 1;
}
