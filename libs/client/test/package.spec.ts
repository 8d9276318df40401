import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from '@jest/globals';

const root = fileURLToPath(new URL('..', import.meta.url));

it('contains only its code, its types and its README, and has no dependencies', () => {
  const packed = execFileSync('npm', ['pack', '--dry-run', '--json', '--ignore-scripts'], { cwd: root, encoding: 'utf8', stdio: 'pipe' });
  const [{ files }] = JSON.parse(packed) as [{ files: { path: string }[] }];
  const paths = files.map(({ path }) => path);
  expect(paths).toEqual(
    expect.arrayContaining(['README.md', 'package.json', 'dist/index.js', 'dist/index.d.ts', 'dist/generated/api.d.ts']),
  );
  expect(paths.filter((path) => !/^(README\.md|package\.json|dist\/[\w/-]+\.(js|d\.ts))$/.test(path))).toEqual([]);
  const described = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as object;
  expect([Object.hasOwn(described, 'dependencies'), Object.hasOwn(described, 'private')]).toEqual([false, false]);
});
it('imports only its own files', () => {
  const dist = join(root, 'dist');
  const files = readdirSync(dist, { recursive: true, encoding: 'utf8' }).filter((name) => /\.(js|d\.ts)$/.test(name));
  const imported = files.flatMap((name) =>
    [...readFileSync(join(dist, name), 'utf8').matchAll(/(?:from|import\()\s*['"]([^'"]+)['"]/g)].map(([, source]) => source),
  );
  expect(imported.length).toBeGreaterThan(20);
  expect(imported.filter((source) => !source?.startsWith('./') && !source?.startsWith('../'))).toEqual([]);
});
