import { fileURLToPath } from 'node:url';
import { patience, TEST_MS } from './libs/testing/src/patience.ts';

const file = (name) => fileURLToPath(new URL(`tools/specs/${name}`, import.meta.url));

/** @type {import('jest').Config} */
export default {
  // Node loads specs and sources, not jest (tools/specs/modules.mjs).
  testEnvironment: file('environment.mjs'),
  runtime: file('runtime.mjs'),
  transform: {},
  // Only to end what hangs: tests wait for events, and none asserts how long something takes.
  testTimeout: patience(TEST_MS),
  testMatch: ['<rootDir>/src/**/*.spec.ts', '<rootDir>/test/**/*.spec.ts'],
};
