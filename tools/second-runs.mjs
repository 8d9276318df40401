// A spec file that failed in `npm test` runs once more, alone, when all suites have ended. A defect fails twice. A spec that
// fails only beside others is reported by name (`failed once: …`) and does not fail the run. The ratios of a bench are handled alike.
import { readResults } from './results.mjs';
import { node, path, run } from './workspace.mjs';

/** With more failed files than this something is broken, and a second run would only take time. */
const MOST = 6;

/** The results of the suites after second runs, and the files that failed in the first run alone. `results`: by project. */
export async function secondRuns(results, { env, again = runAlone }) {
  const failed = [...results].flatMap(([project, { failedFiles }]) => failedFiles.map((file) => ({ project, ...file })));
  const after = new Map(results);
  const failedOnce = [];
  if (failed.length > MOST) return { results: after, failedOnce };
  for (const { project, file, passed, failed: failures } of failed) {
    const second = await again(project, file, env);
    if (!second || second.failed > 0 || second.passed < passed + failures) continue;
    const before = after.get(project);
    after.set(project, {
      ...before,
      passed: before.passed - passed + second.passed,
      failed: before.failed - failures,
      failedFiles: before.failedFiles.filter((one) => one.file !== file),
    });
    failedOnce.push(`${project}/${file}`);
  }
  return { results: after, failedOnce };
}

/**
 * A bench that runs a second time when nothing but its ratios failed: other work of the machine may have fallen into one side of a
 * comparison. A change that makes something several times slower fails twice. With an error or a broken invariant there is no second run.
 * `missedOf` returns the ratios of an outcome that failed. In the result, `slow` has those of the first measurement, if there was a second.
 */
export async function secondMeasurement(measure, { missedOf, isBroken }) {
  const first = await measure();
  const slow = missedOf(first);
  if (slow.length === 0 || isBroken(first)) return { outcome: first, slow: [], failedOnce: false };
  const second = await measure();
  return { outcome: second, slow, failedOnce: !isBroken(second) && missedOf(second).length === 0 };
}

/** The results of one spec file; undefined when its process failed, which also one does that leaves something open. */
async function runAlone(project, file, env) {
  const results = path('.cache/results', `${project}.second.json`);
  const { code } = await run(node, [path('tools/jest.mjs'), `--runTestsByPath`, file], {
    cwd: path(project),
    env: { ...env, RESULTS_FILE: results },
  });
  return code === 0 ? readResults(results) : undefined;
}
