// Here jest loads the specs itself, each with modules of its own, so that a mutant of one run is in no module of the next.
import { patience, TEST_MS } from '../../libs/testing/src/patience.ts';
import { COMPILER } from '../specs/compiler.mjs';
import { path } from '../workspace.mjs';

export default {
  testEnvironment: 'node',
  testEnvironmentOptions: { customExportConditions: ['@parlance/source', 'node', 'node-addons'] },
  testTimeout: patience(TEST_MS),
  moduleNameMapper: { '^fast-check$': path('tools/seeded-fast-check.mjs') },
  extensionsToTreatAsEsm: ['.ts'],
  rootDir: path('.'),
  roots: [path('apps'), path('libs')],
  testMatch: ['**/*.spec.ts'],
  cacheDirectory: path('.cache/mutants'),
  reporters: [path('tools/mutants/reporter.mjs')],
  testSequencer: path('tools/mutants/sequencer.cjs'),
  transform: { '\\.ts$': [path('tools/mutants/transform.mjs'), COMPILER] },
};
