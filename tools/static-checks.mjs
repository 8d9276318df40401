// The static checks of `npm test` and `npm run check`. The slowest ones come first.
import { readResults } from './results.mjs';
import { bin, environmentOfTests, node, path, run } from './workspace.mjs';

const LINTED = ['apps', 'libs', 'tools', 'bench', 'faults', 'deploy'];
const LINKING = ['--experimental-vm-modules', '--experimental-import-meta-resolve'];

export function staticChecks() {
  return [
    ['types of the specs', () => tool('tsc', '-p', 'tsconfig.spec.json')],
    ['documents', () => script('write-docs', ['--check'])],
    ['types of the specs for browsers', () => tool('tsc', '-p', 'apps/console/tsconfig.spec.json')],
    ['types of the console', () => tool('tsc', '-p', 'apps/console/tsconfig.json')],
    ['lint', () => tool('oxlint', '--quiet', ...LINTED)],
    ['programs', () => script('check-built-code', [], LINKING)],
    ['boundaries', () => script('check-boundaries')],
    ['versions', () => script('versions')],
    ['format', () => tool('oxfmt', '--check')],
  ];
}

/** All checks except `documents`, which starts the product. */
export const quickChecks = () => staticChecks().filter(([name]) => name !== 'documents');

const tool = (name, ...args) => run(node, [bin(name), ...args], { env: environmentOfTests() });

async function script(name, args = [], flags = []) {
  const file = path('.cache/results', `${name}.json`);
  const done = await run(node, [...flags, path(`tools/${name}.mjs`), ...args], { env: { ...environmentOfTests(), RESULTS_FILE: file } });
  return { ...done, counts: readResults(file) };
}
