// Jest's transformer, which puts the mutant of the environment into its file. Nothing on disk changes.
import { createHash } from 'node:crypto';
import swcJest from '@swc/jest';
import { mutated } from './mutated.mjs';

const mutant = JSON.parse(process.env.MUTANT ?? 'null');

export default {
  createTransformer(options) {
    const swc = swcJest.createTransformer(options);
    const changed = (source, path) => (path === mutant?.path ? mutated(source, mutant) : source);
    const key = (source, path, jest) =>
      createHash('sha256')
        .update(changed(source, path))
        .update(swc.getCacheKey(source, path, jest))
        .digest('hex');
    return {
      ...swc,
      getCacheKey: key,
      getCacheKeyAsync: async (...args) => key(...args),
      process: (source, path, jest) => swc.process(changed(source, path), path, jest),
      processAsync: async (source, path, jest) => swc.processAsync(changed(source, path), path, jest),
    };
  },
};
