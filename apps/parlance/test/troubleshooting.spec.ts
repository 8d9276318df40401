import { glob, readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { expect, it } from '@jest/globals';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const REFUSED = /refuse\(\s*'unavailable',\s*'(\w+)'/g;
/** The code of 503 answers that have no code of their own. */
const GENERAL = 'unavailable';

it('the page about problems explains each code of 503', async () => {
  const codes = new Set<string>();
  for await (const file of glob('{apps,libs}/*/src/**/*.ts', { cwd: root, exclude: (name) => name.endsWith('.spec.ts') })) {
    for (const [, code = ''] of (await readFile(`${root}/${file}`, 'utf8')).matchAll(REFUSED)) codes.add(code);
  }
  expect(codes.size).toBeGreaterThan(20);
  codes.delete(GENERAL);
  const page = await readFile(`${root}/docs/how-to/troubleshooting.md`, 'utf8');
  expect([...codes].filter((code) => !page.includes(`\`${code}\``))).toEqual([]);
});
