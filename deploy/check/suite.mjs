// Counts named checks. A failure is printed in full when it happens, successes are only counted.
import { writeFileSync } from 'node:fs';

const passed = [];
const failed = [];
const skipped = [];

export async function check(name, body) {
  try {
    await body();
    passed.push(name);
  } catch (error) {
    failed.push(name);
    console.error(`✗ ${name}\n${String(error.message ?? error).replace(/^/gm, '    ')}\n`);
  }
}

/** Runs a group of checks. An error outside of a check is a failure too. */
export async function part(name, body) {
  try {
    await body();
  } catch (error) {
    await check(name, () => {
      throw error;
    });
  }
}

/** Skips a check that cannot run here, by name. In CI a skip is a failure. */
export function skip(name, why) {
  if (process.env.CI === 'true') {
    failed.push(name);
    console.error(`✗ ${name}\n    ${why}; with CI=true that is a failure\n`);
  } else {
    skipped.push(`${name}: ${why}`);
  }
}

/** Prints the summary, writes the counts to RESULTS_FILE, and sets the exit code. */
export function conclude(name = 'deploy') {
  const results = { passed: passed.length, failed: failed.length, skipped };
  if (process.env.RESULTS_FILE) writeFileSync(process.env.RESULTS_FILE, JSON.stringify(results));
  for (const reason of skipped) console.log(`skipped: ${reason}`);
  console.log(`${name}: ${results.passed} passed, ${results.failed} failed, ${skipped.length} skipped`);
  process.exitCode = failed.length > 0 ? 1 : 0;
}
