// `node tools/release.mjs X.Y.Z`: makes the section of a release in CHANGELOG.md from the files in changes/, sets the version everywhere, and prints how to tag it.
// It refuses unless `npm run test:full` has passed for this commit, and tests the upgrade from the previous release.
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { setVersion, versionOfProduct } from './versions.mjs';
import { node, path, root, run, Trouble } from './workspace.mjs';

const KINDS = ['Added', 'Changed', 'Deprecated', 'Removed', 'Fixed', 'Security'];
const CHANGES = path('changes');

try {
  const next = process.argv[2] ?? '';
  if (!/^\d+\.\d+\.\d+$/.test(next)) throw new Trouble('Usage: node tools/release.mjs X.Y.Z');
  if (!isLater(next, versionOfProduct())) throw new Trouble(`${next} is not later than ${versionOfProduct()}.`);
  if (git('status', '--porcelain') !== '') throw new Trouble('There are changes that are not committed.');
  requireFullTest(git('rev-parse', 'HEAD'));
  const section = sectionOf(next);
  const { code, output } = await run(node, [path('faults/run.mjs'), 'upgrade']);
  if (code !== 0) throw new Trouble(`The upgrade fails:\n${output}`);
  setVersion(next);
  const changelog = readFileSync(path('CHANGELOG.md'), 'utf8');
  writeFileSync(path('CHANGELOG.md'), changelog.replace(/^## \[/m, `${section}\n\n## [`));
  for (const { file } of fragments()) rmSync(file);
  for (const args of [
    ['tsc', '-b'],
    ['oxfmt', 'CHANGELOG.md'],
  ])
    execFileSync(node, [path('node_modules/.bin', args[0]), ...args.slice(1)], { cwd: root });
  execFileSync(node, [path('tools/write-docs.mjs')], { cwd: root, stdio: 'inherit' });
  console.log(`Read the changes. Then:\n\n  git commit -am "Release ${next}" && git tag --annotate v${next} --message "Parlance ${next}"`);
} catch (error) {
  if (!(error instanceof Trouble)) throw error;
  console.error(error.message);
  process.exitCode = 1;
}

function requireFullTest(head) {
  const file = path('.cache/results/full.json');
  if (!existsSync(file)) throw new Trouble('Run `npm run test:full` first: there are no results for it.');
  const { commit, failed } = JSON.parse(readFileSync(file, 'utf8'));
  if (commit !== head) throw new Trouble(`npm run test:full ran for ${commit}, but HEAD is ${head}. Run it again.`);
  if (failed > 0) throw new Trouble(`npm run test:full failed ${failed} checks.`);
}

/** Each file in changes/ is a Markdown list whose first line says which kind of change it is: `### Added`. */
function fragments() {
  return readdirSync(CHANGES)
    .filter((name) => name !== 'README.md')
    .sort()
    .map((name) => {
      const file = path('changes', name);
      const [heading, ...lines] = readFileSync(file, 'utf8').trim().split('\n');
      const kind = heading.replace('### ', '');
      if (!KINDS.includes(kind))
        throw new Trouble(`changes/${name} begins with "${heading}". It must be one of ### ${KINDS.join(', ### ')}.`);
      return { file, kind, text: lines.join('\n').trim() };
    });
}

function sectionOf(version) {
  const all = fragments();
  if (all.length === 0) throw new Trouble('There is nothing to release: changes/ is empty.');
  const parts = KINDS.map((kind) => [kind, all.filter((each) => each.kind === kind)]).filter(([, these]) => these.length > 0);
  const today = new Date().toISOString().slice(0, 10);
  return [`## [${version}] - ${today}`, ...parts.map(([kind, these]) => `### ${kind}\n\n${these.map(({ text }) => text).join('\n')}`)].join(
    '\n\n',
  );
}

function isLater(next, before) {
  const [a, b] = [next, before].map((version) => version.split('.').map(Number));
  const differing = a.findIndex((part, index) => part !== b[index]);
  return differing >= 0 && a[differing] > b[differing];
}

function git(...args) {
  return execFileSync('git', args, { cwd: root, encoding: 'utf8' }).trim();
}
