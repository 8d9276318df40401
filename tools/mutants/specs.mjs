// The specs that import a source file, directly or through other files: those of its project first, then the nearest. Specs that start
// the product count as specs of another project, because they are slow.
import { existsSync, readFileSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { path } from '../workspace.mjs';

const IMPORT =
  /\b(?:import|export)\s+(?!type\b)(?:([^'"`;()]*?)\s*from\s*)?'([^']+)'|\bimport\('(@[^']+)'\)|(?<!from )'(\.\.?\/[^']+\.ts)'/g;
/** This file starts the built product, which contains every service. */
const STARTS_PRODUCT = 'libs/testing/src/product.ts';

/** Finds the specs of a file among these files of the repository. */
export function specFinder(files) {
  const sources = new Set(files);
  const importers = new Map();
  const add = (imported, importer) => importers.set(imported, [...(importers.get(imported) ?? []), importer]);
  for (const file of files) {
    for (const { names, from } of importsOf(file)) for (const imported of targets(file, names, from, sources)) add(imported, file);
    if (/^apps\/[^/]+\/src\/main\.ts$/.test(file)) add(file, STARTS_PRODUCT);
    // This spec runs the command-line program by its path.
    if (/\bdist\/main\.js'/.test(textOf(file)) && file.endsWith('.spec.ts')) add(`${projectOf(file)}/src/main.ts`, file);
  }
  return (file) => {
    const distances = new Map([[file, 0]]);
    const throughProduct = new Set();
    for (const at of distances.keys())
      for (const importer of importers.get(at) ?? []) {
        if (distances.has(importer)) continue;
        distances.set(importer, distances.get(at) + 1);
        if (importer === STARTS_PRODUCT || throughProduct.has(at)) throughProduct.add(importer);
      }
    return [...distances]
      .filter(([reached]) => reached.endsWith('.spec.ts'))
      .map(([spec, distance]) => ({
        spec,
        own: projectOf(spec) === projectOf(file) && !throughProduct.has(spec),
        distance,
        ...likeness(spec, file),
      }))
      .sort((a, b) => b.own - a.own || a.distance - b.distance || b.shared - a.shared || a.bytes - b.bytes);
  };
}

const projectOf = (file) => file.split('/').slice(0, 2).join('/');

/** Among equally near specs, a spec that is named like the file runs first, then shorter ones. */
function likeness(spec, file) {
  const words = (name) => basename(name).replace(/\..*/, '').split('-');
  const shared = words(spec).filter((word) => words(file).includes(word)).length;
  return { shared, bytes: statSync(path(spec)).size };
}

const texts = new Map();

function textOf(file) {
  if (!texts.has(file)) texts.set(file, existsSync(path(file)) ? readFileSync(path(file), 'utf8') : '');
  return texts.get(file);
}

/** The imports of a file without those of types. `names` is null if the import covers the whole module. */
function importsOf(file) {
  return [...textOf(file).matchAll(IMPORT)].map(([, clause, from, lazily, named]) => ({
    from: from ?? lazily ?? named,
    names: clause?.startsWith('{')
      ? clause
          .slice(1, -1)
          .split(',')
          .map((name) => name.trim())
          .filter((name) => name && !name.startsWith('type '))
          .map((name) => name.split(/\s+as\s+/))
      : null,
  }));
}

/** The files that an import refers to. For an index, these are the files that export the imported names. */
function targets(importer, names, from, sources) {
  const file = resolve(importer, from);
  if (!sources.has(file)) return [];
  if (names === null || !file.endsWith('/index.ts')) return [file];
  const exported = importsOf(file);
  return names.flatMap(([name]) => {
    const reached = exported.flatMap((each) => {
      const found = each.names?.find((pair) => pair.at(-1) === name);
      return found ? targets(file, [found], each.from, sources) : [];
    });
    return reached.length > 0 ? reached : [file];
  });
}

function resolve(importer, from) {
  if (from.startsWith('.')) return join(dirname(importer), from);
  const [scope, name, ...inside] = from.split('/');
  if (scope !== '@parlance') return undefined;
  const project = [`libs/${name}`, `apps/${name}`].find((each) => existsSync(path(each, 'package.json')));
  const { exports } = JSON.parse(textOf(`${project}/package.json`) || '{}');
  const source = exports?.[['.', ...inside].join('/')]?.['@parlance/source'];
  return source && join(project, source);
}
