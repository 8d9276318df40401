import { fileURLToPath } from 'node:url';
import { patience, TEST_MS } from './libs/testing/src/patience.ts';

/** @type {import('jest').Config} */
export default {
  testEnvironment: 'node',
  // Only to end what hangs: tests wait for events, and none asserts how long something takes.
  testTimeout: patience(TEST_MS),
  testMatch: ['<rootDir>/src/**/*.spec.ts', '<rootDir>/test/**/*.spec.ts'],
  moduleNameMapper: { '^fast-check$': fileURLToPath(new URL('tools/seeded-fast-check.mjs', import.meta.url)) },
  extensionsToTreatAsEsm: ['.ts'],
  testEnvironmentOptions: { customExportConditions: ['@parlance/source', 'node', 'node-addons'] },
  transform: {
    '\\.ts$': [
      '@swc/jest',
      {
        swcrc: false,
        jsc: {
          target: 'es2024',
          parser: { syntax: 'typescript', decorators: true },
          transform: { legacyDecorator: true, decoratorMetadata: true, useDefineForClassFields: true },
        },
        module: { type: 'es6' },
      },
    ],
  },
};
