// `npm run check [apps/NAME libs/NAME …]`: builds, checks types, lint and format, and runs the specs of the named projects,
// or of the projects that have changed since their specs last passed.
import { rmSync } from 'node:fs';
import { build } from './build.mjs';
import { buildConsole } from './build-console.mjs';
import { changedProjects, keysOf, rememberGreen } from './changed.mjs';
import { readResults, summary } from './results.mjs';
import { runSpecs } from './run-specs.mjs';
import { quickChecks } from './static-checks.mjs';
import { environmentOfTests, path, projectsWith, Trouble } from './workspace.mjs';

const FILE = path('.cache/results/check.json');

try {
  const named = process.argv.slice(2).map((each) => each.replace(/\/$/, ''));
  const unknown = named.find((each) => !projectsWith('test').includes(each));
  if (unknown !== undefined) throw new Trouble(`There is no project ${unknown}. Name it as apps/bots or libs/sqlite.`);
  await Promise.all([build(), buildConsole()]);
  const keys = await keysOf();
  const projects = named.length > 0 ? named : changedProjects(keys);
  console.log(projects.length > 0 ? `Specs of ${projects.join(', ')}` : 'No project has changed since its specs last passed.');
  const checks = quickChecks();
  const checked = (async () => {
    let passed = true;
    for (const [name, work] of checks) {
      const { code, output } = await work();
      if (code === 0) continue;
      passed = false;
      console.log(`\nFAILED ${name}\n${output}\n`);
    }
    return passed;
  })();
  rmSync(FILE, { force: true });
  const { code } = projects.length > 0 ? await runSpecs({ file: FILE, projects, env: environmentOfTests() }) : { code: 0 };
  const counts = readResults(FILE) ?? { passed: 0, failed: code === 0 ? 0 : 1, skipped: [], failures: [], files: [] };
  rememberGreen(keys, counts.files, counts.failures);
  for (const name of counts.failures) console.log(`failed: ${name}`);
  const passed = await checked;
  console.log(`static checks ${passed ? 'passed' : 'failed'}, specs: ${summary(counts)}`);
  process.exitCode = code === 0 && passed ? 0 : 1;
} catch (error) {
  if (!(error instanceof Trouble)) throw error;
  console.error(error.message);
  process.exitCode = 1;
}
