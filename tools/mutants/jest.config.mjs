import config from '../../jest.config.js';
import { path } from '../workspace.mjs';

const [[pattern, [, options]]] = Object.entries(config.transform);

export default {
  ...config,
  rootDir: path('.'),
  roots: [path('apps'), path('libs')],
  testMatch: ['**/*.spec.ts'],
  cacheDirectory: path('.cache/mutants'),
  reporters: [path('tools/mutants/reporter.mjs')],
  testSequencer: path('tools/mutants/sequencer.cjs'),
  transform: { [pattern]: [path('tools/mutants/transform.mjs'), options] },
};
