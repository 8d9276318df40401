// Loaded by each process and thread that a spec starts, such as the built product: puts the mutant of the environment into its compiled file.
// tools/specs/modules.mjs puts it into the source that specs load. Nothing on disk changes.
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
  // Loaded when needed: most processes never load the file of the mutant.
  const { transformSync } = createRequire(import.meta.url)('@swc/core');
  const { code } = transformSync(mutated(readFileSync(mutant.path, 'utf8'), mutant), {
    ...COMPILER,
    filename: mutant.path,
  });
  return code.replaceAll(/(\bfrom |\bimport\()(['"])(\.[^'"]+)\.ts\2/g, '$1$2$3.js$2');
}
