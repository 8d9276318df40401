// Which projects have changed since their specs last passed, in `npm test` or `npm run check`. A project has changed if one of
// its files, a public file of a dependency, or the test setup has changed.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { bin, environmentOfTests, node, path, projectsWith, root, run, Trouble } from './workspace.mjs';

const GREEN = path('.cache/green.json');
const GRAPH = path('.cache/graph.json');
const OF_ALL =
  /^(jest\.config\.js|package(-lock)?\.json|tsconfig(\.base)?\.json|tools\/(specs\/|mutants\/mutated\.mjs|quiet-reporter\.cjs|seeded-fast-check\.mjs))/;
/** Files outside of the projects whose specs read them. */
const OUTSIDE = {
  'apps/bots': /^docs\/guide\//,
  'apps/console': /^(docs\/tutorial\/|faults\/scenarios\/shifted-clock\.mjs)/,
  'apps/identity': /^docs\/how-to\//,
  'apps/parlance': /^(docs\/guide\/|examples\/|bench\/measure\/count-work\.cjs)/,
  'libs/retrieval': /^docs\/reference\/retrieval-endpoint\.md/,
};
/** Files that other projects may depend on: all sources of a library, and the top-level sources of an application. */
const PUBLIC = /^(libs\/[^/]+\/src\/.*(?<!\.spec)\.ts|apps\/[^/]+\/src\/[^/]+(?<!\.spec)\.ts|[^/]+\/[^/]+\/package\.json)$/;

/** The changed projects, as `apps/bots`. */
export function changedProjects(keys) {
  const green = read(GREEN);
  return [...keys].filter(([project, key]) => green[project] !== key).map(([project]) => project);
}

/** Remembers the projects whose specs are among these files and did not fail. `keys` were computed before the specs ran, because a file may change meanwhile. */
export function rememberGreen(keys, files, failures) {
  const green = read(GREEN);
  const within = (project) => (file) => file.startsWith(`${project}/`);
  for (const [project, key] of keys) {
    if (failures.some(within(project))) delete green[project];
    else if (files.some(({ file }) => within(project)(file))) green[project] = key;
  }
  mkdirSync(path('.cache'), { recursive: true });
  writeFileSync(GREEN, JSON.stringify(green, null, 2));
}

/** For each project, a digest of all files that its specs depend on. */
export async function keysOf() {
  const graph = await projectGraph();
  const files = ['ls-files', '--cached', '--others', '--exclude-standard', '--deduplicate'];
  const all = execFileSync('git', files, { cwd: root, encoding: 'utf8', maxBuffer: 2 ** 26 })
    .split('\n')
    .filter(Boolean);
  const digest = (matches) => {
    const hash = createHash('sha256');
    for (const file of all) if (matches(file)) hash.update(`\0${file}\0`).update(contentOf(file));
    return hash.digest('hex');
  };
  const common = digest((file) => OF_ALL.test(file));
  const ofPublic = new Map(
    [...graph.keys()].map((project) => [project, digest((file) => file.startsWith(`${project}/`) && PUBLIC.test(file))]),
  );
  return new Map(
    projectsWith('test').map((project) => {
      const needed = [...dependenciesOf(graph, project)].sort().map((each) => ofPublic.get(each));
      return [
        project,
        createHash('sha256')
          .update(JSON.stringify([common, digest((file) => file.startsWith(`${project}/`) || OUTSIDE[project]?.test(file)), needed]))
          .digest('hex'),
      ];
    }),
  );
}

/** Maps the folder of a project to the folders of its dependencies, according to Nx. */
async function projectGraph() {
  const { code, output } = await run(node, [bin('nx'), 'graph', `--file=${GRAPH}`], { env: environmentOfTests() });
  if (code !== 0) throw new Trouble(`Nx does not report how the projects depend on each other:\n${output}`);
  const { nodes, dependencies } = read(GRAPH).graph;
  const folderOf = (name) => nodes[name]?.data.root;
  return new Map(
    Object.keys(nodes).map((name) => [folderOf(name), dependencies[name].map(({ target }) => folderOf(target)).filter(Boolean)]),
  );
}

function dependenciesOf(graph, project) {
  const found = new Set();
  const queue = [project];
  for (const each of queue) for (const next of graph.get(each) ?? []) if (!found.has(next)) queue.push(found.add(next) && next);
  return found;
}

function contentOf(file) {
  try {
    return readFileSync(path(file));
  } catch {
    // The file has been deleted.
    return '';
  }
}

function read(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return {};
  }
}
