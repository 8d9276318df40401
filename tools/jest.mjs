// Runs the jest suites of the project in the current folder, as ES modules on TypeScript sources.
import { spawnSync } from 'node:child_process';
import { pathToFileURL } from 'node:url';
import { patience, RUN_MS } from '../libs/testing/src/patience.ts';
import { bin, node, path } from './workspace.mjs';

const { status, signal, error } = spawnSync(
  node,
  [
    '--disable-warning=ExperimentalWarning',
    `--import=${pathToFileURL(path('tools/specs/modules.mjs'))}`,
    // kafkajs computes a negative delay once per process; Node takes it for none.
    '--disable-warning=TimeoutNegativeWarning',
    bin('jest'),
    // First, because an option that takes a list would swallow them.
    ...process.argv.slice(2),
    `--config=${path('jest.config.js')}`,
    '--rootDir=.',
    '--passWithNoTests',
    `--reporters=${path('tools/quiet-reporter.cjs')}`,
  ],
  // Jest can't end a test that never yields, nor tell which one it was; the suites of the other projects go on.
  { stdio: 'inherit', timeout: patience(RUN_MS), killSignal: 'SIGKILL', env: { ...process.env, KAFKAJS_NO_PARTITIONER_WARNING: '1' } },
);
if (error) console.error(`The suites did not end: ${error.message}`);
else if (signal) console.error(`The suites were ended by ${signal}.`);
process.exit(status ?? 1);
