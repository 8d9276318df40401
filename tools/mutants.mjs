// `npm run mutants -- PROJECT…`: breaks the code in small ways, one at a time, and runs the specs that depend on the file. A mutant that no
// spec notices lives. Options: --count N (mutants per project, default 30), --seed S, --since REV (only lines changed since then).
import { execFileSync, spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { lineOf, mutationsOf, sample } from './mutants/mutations.mjs';
import { bin, node, path, projectsWith, root } from './workspace.mjs';

const MOST_ALIVE = 0.1;
const AT_ONCE = 2;
const LONGEST = 180_000;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    count: { type: 'string', default: '30' },
    seed: { type: 'string', default: String(Math.floor(Math.random() * 1e6)) },
    since: { type: 'string' },
    help: { type: 'boolean' },
  },
});
if (values.help) {
  console.log('npm run mutants -- [apps/NAME libs/NAME …] [--count 30] [--seed 815] [--since main~3]');
  process.exit(0);
}

const projects = positionals.length > 0 ? positionals : projectsWith('test');
const unknown = projects.find((project) => !existsSync(path(project, 'src')));
if (unknown) {
  console.error(`There is no project ${unknown}. Name it as apps/bots or libs/sqlite.`);
  process.exit(2);
}

console.log(`seed ${values.seed}`);
const survivors = [];
for (const project of projects) {
  const mutants = sample(candidates(project), Number(values.count), values.seed);
  const alive = [];
  const queue = [...mutants];
  const work = async () => {
    for (let mutant = queue.shift(); mutant; mutant = queue.shift()) if (!(await isKilled(project, mutant))) alive.push(mutant);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  const share = mutants.length === 0 ? 0 : alive.length / mutants.length;
  console.log(`${share <= MOST_ALIVE ? 'ok    ' : 'FAILED'} ${project}: ${alive.length} of ${mutants.length} mutants live`);
  for (const { file, line, kind, was } of alive)
    console.log(`         ${file}:${line} ${kind}: ${was.replaceAll(/\s+/g, ' ').slice(0, 80)}`);
  if (share > MOST_ALIVE) survivors.push(project);
}
const failed = survivors.length;
console.log(`${projects.length - failed} passed, ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;

/** Every mutation of the project's own code; of changed lines alone when a revision is given. */
function candidates(project) {
  const files = git('ls-files', '--', `${project}/src`).filter(
    (file) => file.endsWith('.ts') && !/(\.spec|\.contract|main|index|\.module)\.ts$/.test(file) && !/\/contract/.test(file),
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

/** True when a spec fails, or the specs do not end. */
function isKilled(project, mutant) {
  const args = [
    '--experimental-vm-modules',
    '--disable-warning=ExperimentalWarning',
    bin('jest'),
    '--findRelatedTests',
    path(mutant.file),
    '--bail=1',
    '--silent',
    '--passWithNoTests',
  ];
  const env = {
    ...process.env,
    KAFKAJS_NO_PARTITIONER_WARNING: '1',
    PARLANCE_MUTANT: JSON.stringify({ ...mutant, path: path(mutant.file) }),
  };
  return new Promise((resolve) => {
    const child = spawn(
      node,
      [...args, `--config=${path('tools/mutants/jest.config.mjs')}`, '--rootDir=.', '--maxWorkers=1', '--forceExit'],
      { cwd: path(project), env, stdio: 'ignore', timeout: LONGEST, killSignal: 'SIGKILL' },
    );
    child.once('close', (code) => resolve(code !== 0));
  });
}
