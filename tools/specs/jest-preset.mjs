// The jest configuration of every project: `jest.preset` in its package.json.
import { fileURLToPath } from 'node:url';
import { patience, TEST_MS } from '../../libs/testing/src/patience.ts';

const file = (name) => fileURLToPath(new URL(name, import.meta.url));

/** @type {import('jest').Config} */
export default {
  // Node loads specs and sources, not jest (modules.mjs).
  testEnvironment: file('environment.mjs'),
  runtime: file('runtime.mjs'),
  transform: {},
  // Only a spec that hangs reaches this limit: specs wait for events, and none asserts a duration.
  testTimeout: patience(TEST_MS),
  testMatch: ['<rootDir>/{src,test}/**/*.spec.ts'],
  modulePathIgnorePatterns: ['<rootDir>/(dist|node_modules)/'],
};
