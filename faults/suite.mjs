// Counts passed, failed and skipped parts. Prints one line for a passed part, and all problems of a failed one.
import { writeFileSync } from 'node:fs';

const passed = [];
const failed = [];
const skipped = [];

export function pass(name, note) {
  passed.push(name);
  console.log(`ok      ${name}: ${note}`);
}

/** Records a failed part. `found` is a list of violations, as `violations` in checks/index.mjs returns it. */
export function fail(name, found, hint) {
  failed.push(name);
  console.error(`FAILED  ${name}: ${hint}`);
  for (const { name: check, count, problems } of found) {
    console.error(`    ${check}: ${count} found`);
    for (const problem of problems) console.error(`      ${problem.replaceAll('\n', '\n      ')}`);
  }
}

/** Records that a part cannot run here, and why. With CI=true the part fails instead. */
export function skip(name, why) {
  if (process.env.CI === 'true') fail(name, [], `${why}; with CI=true that is a failure`);
  else {
    skipped.push(`${name}: ${why}`);
    console.log(`skipped ${name}: ${why}`);
  }
}

/** Runs one part. An error fails the part. */
export async function part(name, work) {
  try {
    await work();
  } catch (error) {
    fail(name, [], error.stack);
  }
}

/** Prints the totals, writes them to RESULTS_FILE, and sets the exit code. */
export function conclude() {
  const results = { passed: passed.length, failed: failed.length, skipped };
  if (process.env.RESULTS_FILE) writeFileSync(process.env.RESULTS_FILE, JSON.stringify(results));
  console.log(`faults: ${results.passed} passed, ${results.failed} failed, ${skipped.length} skipped`);
  process.exitCode = failed.length > 0 ? 1 : 0;
}
