// How Node loads specs and sources when jest runs without its own module system (runtime.mjs): TypeScript is compiled by SWC, packages of this
// repository are taken from their sources, and `fast-check` and `@jest/globals` are replaced. A module is loaded once for all spec files, except
// test support and modules of the console: those are loaded again for each spec file, by a query in their URL.
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { threadId } from 'node:worker_threads';
import swc from '@swc/core';
import { mutated } from '../mutants/mutated.mjs';
import { COMPILER } from './compiler.mjs';

const here = new URL('.', import.meta.url);
const REPLACED = new Map([
  ['fast-check', new URL('../seeded-fast-check.mjs', here).href],
  ['@jest/globals', new URL('globals.mjs', here).href],
]);
const cache = fileURLToPath(new URL('../../.cache/specs', here));
const FOR_TESTS = /'(@jest\/globals|@parlance\/testing)'/;
const BY_PATH = /^(?:import|export|\}) .*?from '(\..*\.ts)';$/gm;
const support = new Map();
/** Modules of the console keep the state of a page, such as the session. */
const CONSOLE = new URL('../../apps/console/src/', here).href;
/** Set by `npm run mutants`. */
const mutant = JSON.parse(process.env.MUTANT ?? 'null');
const settings = JSON.stringify([swc.version, COMPILER]);
/** Source maps of modules for jest, by the file names in stack traces. */
export const sourceMaps = new Map();

registerHooks({
  resolve(specifier, context, next) {
    const url = REPLACED.get(specifier);
    if (url && context.parentURL !== url) return { url, format: 'module', shortCircuit: true };
    const resolved = next(specifier, { ...context, conditions: ['@parlance/source', ...context.conditions] });
    const query = new URL(context.parentURL ?? here).search;
    if (!query || !isTypeScript(resolved.url)) return resolved;
    const isFresh = resolved.url.startsWith(CONSOLE) || isTestSupport(fileURLToPath(resolved.url));
    return isFresh ? { ...resolved, url: resolved.url + query } : resolved;
  },
  load(url, context, next) {
    if (!isTypeScript(url)) return next(url, context);
    return { format: 'module', source: compiled(fileURLToPath(url), url), shortCircuit: true };
  },
});

function isTypeScript(url) {
  return url.startsWith('file:') && new URL(url).pathname.endsWith('.ts');
}

/** Whether a module, or one that it imports by path, sets up tests. Such a module is loaded again for each spec file. */
function isTestSupport(path) {
  let is = support.get(path);
  if (is === undefined) {
    support.set(path, false);
    const source = read(path) ?? '';
    is = FOR_TESTS.test(source) || Array.from(source.matchAll(BY_PATH), ([, other]) => resolve(dirname(path), other)).some(isTestSupport);
    support.set(path, is);
  }
  return is;
}

function compiled(path, url) {
  const source = path === mutant?.path ? mutated(readFileSync(path, 'utf8'), mutant) : readFileSync(path, 'utf8');
  const digest = `//${createHash('sha256').update(settings).update(source).digest('hex')}`;
  // Named by the source's path, so that a changed source replaces its older compiled file.
  const file = join(cache, createHash('sha256').update(path).digest('hex'));
  let code = read(`${file}.js`);
  if (!code?.endsWith(digest)) {
    const made = swc.transformSync(source, { ...COMPILER, filename: path, sourceMaps: true });
    code = `${made.code}\n${digest}`;
    mkdirSync(dirname(file), { recursive: true });
    write(`${file}.map`, made.map);
    write(`${file}.js`, code);
  }
  for (const name of [path, url, fileURLToPath(url) + new URL(url).search]) sourceMaps.set(name, `${file}.map`);
  return code;
}

/** Another process or thread may read or write the file meanwhile. */
function write(file, text) {
  const own = `${file}.${process.pid}.${threadId}`;
  writeFileSync(own, text);
  renameSync(own, file);
}

function read(file) {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
}
