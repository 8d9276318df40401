// `npx jest apps/bots/test/bot.spec.ts` works here and in the folder of each project, which takes tools/specs/jest-preset.mjs.
import { fileURLToPath } from 'node:url';
import { patience, TEST_MS } from './libs/testing/src/patience.ts';

/** @type {import('jest').Config} */
export default {
  projects: ['<rootDir>/apps/*', '<rootDir>/libs/*'],
  // Jest takes this from the configuration that it starts with: this file at the top, the preset in a project.
  testTimeout: patience(TEST_MS),
  maxWorkers: 2,
  // A worker keeps the modules of all spec files that it has run.
  workerIdleMemoryLimit: '2GB',
  testSequencer: fileURLToPath(new URL('tools/specs/sequencer.cjs', import.meta.url)),
};
