// `npm run mutants -- PROJECT…`: breaks the code in small ways, one at a time, and runs the specs that depend on the file: first the specs of
// its project, then those of other projects for a limited time, nearest first. A mutant survives if no spec fails. Specs that start the
// product run with the mutant too, and need `npm run build` first. Options: --count N (mutants per project, default 30), --seed S,
// --since REV (only lines changed since then), --dependants S (seconds for specs of other projects, default 60),
// --at-once N (processes with specs at the same time, default 2), --all (print killed mutants with the test that failed),
// --full (also the specs of `test:full`).
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { mutated } from './mutants/mutated.mjs';
import { lineOf, mutationsOf, parses, sample } from './mutants/mutations.mjs';
import { runSpecs } from './mutants/run-specs.mjs';
import { specFinder } from './mutants/specs.mjs';
import { path, projectsWith, root } from './workspace.mjs';

const MOST_ALIVE = 0.1;
/** Test support that only specs use. Files named `harness.ts` and `golden.ts` are left out for the same reason. */
const LEFT_OUT = ['libs/testing'];

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    count: { type: 'string', default: '30' },
    seed: { type: 'string', default: String(Math.floor(Math.random() * 1e6)) },
    since: { type: 'string' },
    dependants: { type: 'string', default: '60' },
    'at-once': { type: 'string', default: '2' },
    all: { type: 'boolean' },
    full: { type: 'boolean' },
    help: { type: 'boolean' },
  },
});
if (values.help) {
  console.log(
    'npm run mutants -- [apps/NAME libs/NAME …] [--count 30] [--seed 815] [--since main~3] [--dependants 60] [--at-once 2] [--all] [--full]',
  );
  process.exit(0);
}

const projects = positionals.length > 0 ? positionals : projectsWith('test').filter((project) => !LEFT_OUT.includes(project));
const specsOf = specFinder(git('ls-files', '--cached', '--others', '--exclude-standard', '--', 'apps/*.ts', 'libs/*.ts'));
const unknown = projects.find((project) => !existsSync(path(project, 'src')));
if (unknown) {
  console.error(`There is no project ${unknown}. Name it as apps/bots or libs/sqlite.`);
  process.exit(2);
}

const seconds = Number(values.dependants);
const unchanged = new Map();
const broken = new Set();

console.log(`seed ${values.seed}`);
const survivors = [];
for (const project of projects) {
  const mutants = sample(candidates(project), Number(values.count), values.seed, (mutant) =>
    parses(mutated(readFileSync(path(mutant.file), 'utf8'), mutant)),
  );
  const alive = [];
  let hung = 0;
  const queue = [...mutants];
  const work = async () => {
    for (let mutant = queue.shift(); mutant; mutant = queue.shift()) {
      const { outcome, spec, test } = await outcomeOf(mutant);
      if (values.all) console.log(`  ${outcome}: ${inWords(mutant)}${outcome === 'alive' ? '' : ` (${spec}: ${test})`}`);
      if (outcome === 'alive') alive.push(mutant);
      if (outcome === 'hung') hung++;
    }
  };
  await Promise.all(Array.from({ length: Number(values['at-once']) }, work));
  const share = mutants.length === 0 ? 0 : alive.length / mutants.length;
  console.log(
    `${share <= MOST_ALIVE ? 'ok    ' : 'FAILED'} ${project}: ${alive.length} of ${mutants.length} mutants live${hung ? `, specs of ${hung} did not end` : ''}`,
  );
  for (const mutant of alive) console.log(`         ${inWords(mutant)}`);
  if (share > MOST_ALIVE) survivors.push(project);
}
const failed = survivors.length;
console.log(`${projects.length - failed} passed, ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;

function inWords({ file, line, kind, was }) {
  return `${file}:${line} ${kind}: ${was.replaceAll(/\s+/g, ' ').slice(0, 80)}`;
}

/** Every mutation of the project's code, or of its changed lines if a revision is named. */
function candidates(project) {
  const files = git('ls-files', '--', `${project}/src`).filter(
    (file) => file.endsWith('.ts') && !/(\.spec|contract|main|index|\.module|harness|golden)\.ts$/.test(file) && !/\/contract\//.test(file),
  );
  return files.flatMap((file) => {
    const source = readFileSync(path(file), 'utf8');
    const lines = values.since ? changedLines(file) : null;
    return mutationsOf(source)
      .map((mutation) => ({ ...mutation, file, line: lineOf(source, mutation) }))
      .filter(({ line }) => lines === null || lines.has(line));
  });
}

function changedLines(file) {
  const hunks = git('diff', '-U0', values.since, '--', file).map((line) => /^@@ \S+ \+(\d+)(?:,(\d+))? @@/.exec(line));
  return new Set(
    hunks
      .filter((hunk) => hunk !== null)
      .flatMap(([, from, lines = '1']) => Array.from({ length: Number(lines) }, (_, at) => Number(from) + at)),
  );
}

function git(...args) {
  return execFileSync('git', args, { cwd: root, encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 })
    .split('\n')
    .filter(Boolean);
}

/**
 * The result of the specs: `killed` if one fails, `hung` if one does not end and no later spec of the project fails, otherwise `alive`.
 * Specs that fail without the mutant do not count.
 */
async function outcomeOf(mutant) {
  let specs = specsOf(mutant.file).filter(({ spec }) => !broken.has(spec) && (values.full || !spec.endsWith('.full.spec.ts')));
  let hung = null;
  for (;;) {
    const result = await runSpecs(mutant, specs, seconds);
    if (result.outcome === 'alive') return hung ?? result;
    const isProof = await passesUnchanged(result.spec);
    if (isProof && result.outcome === 'killed') return result;
    if (isProof) hung ??= result;
    specs = specs.slice(specs.findIndex(({ spec }) => spec === result.spec) + 1).filter(({ own }) => own || hung === null);
  }
}

/** Runs a spec once without a mutant. A spec that fails without one is reported and left out. */
async function passesUnchanged(spec) {
  if (!unchanged.has(spec)) unchanged.set(spec, runSpecs(null, [{ spec, own: true }], seconds));
  const { outcome } = await unchanged.get(spec);
  if (outcome === 'alive') return true;
  if (!broken.has(spec)) console.log(`${spec} fails without a mutant and is left out.`);
  broken.add(spec);
  return false;
}
