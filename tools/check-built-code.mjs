// Checks that the programs that are not compiled still fit the built code: every planted fault matches, the simulated releases before and
// after the present one can be built and loaded, and every program finds the files and names that it imports. No program runs.
import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { SourceTextModule, SyntheticModule } from 'node:vm';
import { bugs } from '../faults/sabotage/bugs.mjs';
import { lastRelease } from '../faults/sabotage/last-release.mjs';
import { nextRelease } from '../faults/sabotage/next-release.mjs';
import { Tree } from '../faults/sabotage/tree.mjs';
import { writeResults } from './results.mjs';
import { path, root } from './workspace.mjs';

const programs = globSync('{bench,faults,deploy,tools}/**/*.mjs', { cwd: root, exclude: ['**/node_modules'] }).map((file) => path(file));
/** Files that programs name in a string, such as programs that they start. */
const NAMED_FILE = /['"`]((?:\.{1,2}\/|apps\/|libs\/|bench\/|faults\/)[\w./-]+\.m?js)['"`]/g;

const problems = [];
let passed = 0;

await check('planted faults', async () => {
  const tree = await Tree.copyOf(root);
  try {
    for (const bug of bugs) await check(`fault “${bug.name}”`, () => canBePlanted(tree, bug));
  } finally {
    await tree.remove();
  }
});
await check('the next release', async () => loads((await nextRelease(root)).tree));
await check('the last release', async () => loads(await lastRelease(root)));
const linked = new Map();
for (const program of programs) await check(program.slice(root.length), () => links(program));

for (const problem of problems) console.error(problem);
writeResults({ passed, failed: problems.length, failures: problems });
process.exit(problems.length > 0 ? 1 : 0);

async function check(what, work) {
  try {
    await work();
    passed++;
  } catch (error) {
    problems.push(`${what}: ${error.message}`);
  }
}

async function canBePlanted(tree, { plant }) {
  const pulls = [];
  try {
    for (const change of plant) pulls.push(await tree.plant(change));
    for (const { file } of plant) new SourceTextModule(readFileSync(resolve(tree.root, file), 'utf8'));
  } finally {
    for (const pull of pulls.reverse()) await pull();
  }
}

/** Imports every service of a copy of the build. */
async function loads(tree) {
  try {
    await import(pathToFileURL(resolve(tree.root, 'apps/parlance/dist/services.js')).href);
  } finally {
    await tree.remove();
  }
}

async function links(program) {
  const text = readFileSync(program, 'utf8');
  for (const [, file] of text.matchAll(NAMED_FILE))
    if (!existsSync(resolve(dirname(program), file)) && !existsSync(path(file))) throw new Error(`there is no ${file}`);
  const source = sourceOf(program);
  if (source.status === 'unlinked') await source.link(linkedTo);
}

/** A program of ours with its imports, which is not evaluated. */
function sourceOf(file) {
  if (!linked.has(file)) linked.set(file, new SourceTextModule(readFileSync(file, 'utf8'), { identifier: pathToFileURL(file).href }));
  return linked.get(file);
}

/** Other modules are evaluated, since only Node knows what they export. */
async function linkedTo(specifier, { identifier }) {
  const url = import.meta.resolve(specifier, identifier);
  const file = url.startsWith('file:') ? fileURLToPath(url) : undefined;
  if (programs.includes(file)) return sourceOf(file);
  if (!linked.has(url)) {
    const names = Object.keys(await import(url));
    linked.set(url, new SyntheticModule(names, () => undefined, { identifier: url }));
  }
  return linked.get(url);
}
