// Runs the longest spec files first: those that start the product or a cluster, then by size. If one ran last, a processor would be idle.
const { statSync } = require('node:fs');
const { default: Sequencer } = require('@jest/test-sequencer');

const LONG = [/\/apps\/parlance\/test\//, /\/apps\/console\/test\//];
const rank = ({ path }) => (LONG.findIndex((pattern) => pattern.test(path)) + LONG.length + 1) % (LONG.length + 1);

module.exports = class LongestFirst extends Sequencer {
  sort(tests) {
    const sizes = new Map(tests.map(({ path }) => [path, statSync(path).size]));
    return [...tests].sort((a, b) => rank(a) - rank(b) || sizes.get(b.path) - sizes.get(a.path));
  }
};
