// Prints failures in full, and writes the counts to the file that RESULTS_FILE names.
const { mkdirSync, readFileSync, writeFileSync } = require('node:fs');
const { dirname, join, relative } = require('node:path');

const root = join(__dirname, '..');

module.exports = class QuietReporter {
  onTestResult(test, { failureMessage }) {
    if (failureMessage) process.stdout.write(`\nFAILED ${relative(root, test.path)}\n${failureMessage}\n`);
  }

  onRunComplete(_, { testResults, numPassedTests, numFailedTests, numRuntimeErrorTestSuites }) {
    const named = (status) =>
      testResults.flatMap(({ testFilePath, testResults: tests }) =>
        tests.filter((each) => each.status === status).map(({ fullName }) => `${relative(root, testFilePath)}: ${fullName}`),
      );
    // A file that could not be loaded, or left something open, has no test to count, so it counts as one failure.
    const broken = testResults.filter(({ testExecError }) => testExecError).map(({ testFilePath }) => relative(root, testFilePath));
    const results = {
      passed: numPassedTests,
      failed: numFailedTests + numRuntimeErrorTestSuites,
      skipped: named('pending'),
      failures: [...named('failed'), ...broken.map((file) => `${file}: did not run to its end`)],
      files: testResults.map(({ testFilePath }) => ({ ...timesOf(testFilePath), file: relative(root, testFilePath) })),
    };
    mkdirSync(dirname(process.env.RESULTS_FILE), { recursive: true });
    writeFileSync(process.env.RESULTS_FILE, JSON.stringify(results));
    // A spec file that left a handle open has failed. The handle must not keep the process alive.
    if (broken.length > 0) setTimeout(() => process.exit(1), 1_000).unref();
  }
};

/** The measurements of tools/specs/usage.mjs. */
function timesOf(file) {
  try {
    return JSON.parse(readFileSync(join(root, '.cache/times', `${relative(root, file)}.json`), 'utf8'));
  } catch {
    return {};
  }
}
