// Failures in full, a success in one line. The counts go to .cache/results, from where Nx caches them together with the
// verdict and tools/test.mjs sums them up.
const { mkdirSync, writeFileSync } = require('node:fs');
const { dirname, join, relative } = require('node:path');

const { patience } = require('../libs/testing/src/patience.ts');

const root = join(__dirname, '..');
const GRACE = 30_000;

module.exports = class QuietReporter {
  constructor(config) {
    this.rootDir = config.rootDir;
  }

  onTestResult(test, result) {
    if (result.failureMessage) process.stdout.write(`\nFAILED ${relative(this.rootDir, test.path)}\n${result.failureMessage}\n`);
  }

  onRunComplete(_, results) {
    const project = relative(root, this.rootDir);
    const skipped = results.testResults.flatMap((file) =>
      file.testResults.filter((each) => each.status === 'pending').map((each) => each.fullName),
    );
    // A file that could not be loaded has no tests to count: it is one failure.
    const failedFiles = results.testResults
      .filter((file) => file.numFailingTests > 0 || file.testExecError)
      .map((file) => ({
        file: relative(this.rootDir, file.testFilePath),
        passed: file.numPassingTests,
        failed: file.testExecError ? file.numFailingTests + 1 : file.numFailingTests,
        tests: file.testResults.filter((each) => each.status === 'failed').map((each) => each.fullName),
      }));
    const failed = results.numFailedTests + results.numRuntimeErrorTestSuites;
    const counts = { passed: results.numPassedTests, failed, skipped, failedFiles };
    const file = process.env.RESULTS_FILE ?? join(root, '.cache', 'results', `${project}.json`);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, JSON.stringify(counts));
    const seconds = ((Date.now() - results.startTime) / 1000).toFixed(1);
    process.stdout.write(
      `${project}: ${counts.passed} passed, ${counts.failed} failed${skipped.length ? `, ${skipped.length} skipped` : ''} (${seconds} s)\n`,
    );
    // This timer alone keeps nothing alive: when it strikes, something that a test opened and did not close does.
    setTimeout(() => {
      process.stdout.write(`${project}: the tests have ended, but something they opened (a server, a worker, a timer) is still there\n`);
      process.exit(1);
    }, patience(GRACE)).unref();
  }
};
