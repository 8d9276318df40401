// Loaded by each process and thread that a spec starts, such as the built product: applies the mutant in the environment variable to
// the compiled file. tools/specs/modules.mjs applies it to sources that specs load. No file on disk changes.
import { readFileSync } from 'node:fs';
import { createRequire, registerHooks } from 'node:module';
import { pathToFileURL } from 'node:url';
import { COMPILER } from '../specs/compiler.mjs';
import { mutated } from './mutated.mjs';

const mutant = JSON.parse(process.env.MUTANT ?? 'null');
const compiled = mutant && pathToFileURL(mutant.path).href.replace('/src/', '/dist/').replace(/\.ts$/, '.js');

if (mutant)
  registerHooks({
    load: (url, context, next) => (url === compiled ? { format: 'module', source: compile(), shortCircuit: true } : next(url, context)),
  });

function compile() {
  // Loaded only when needed: most processes never load the mutated file.
  const { transformSync } = createRequire(import.meta.url)('@swc/core');
  const { code } = transformSync(mutated(readFileSync(mutant.path, 'utf8'), mutant), {
    ...COMPILER,
    filename: mutant.path,
  });
  return code.replaceAll(/(\bfrom |\bimport\()(['"])(\.[^'"]+)\.ts\2/g, '$1$2$3.js$2');
}
