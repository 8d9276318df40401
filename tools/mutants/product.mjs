// Loaded by each process and thread that a spec starts, such as the built product: puts the mutant of the environment into its source file
// or its compiled file. Nothing on disk changes.
import { readFileSync } from 'node:fs';
import { createRequire, registerHooks } from 'node:module';
import { pathToFileURL } from 'node:url';
import { mutated } from './mutated.mjs';

const mutant = JSON.parse(process.env.MUTANT ?? 'null');
const source = mutant && pathToFileURL(mutant.path).href;
const compiled = source?.replace('/src/', '/dist/').replace(/\.ts$/, '.js');

if (mutant)
  registerHooks({
    load: (url, context, next) => {
      if (url !== source && url !== compiled) return next(url, context);
      return { format: 'module', source: compile(url === compiled), shortCircuit: true };
    },
  });

function compile(isBuilt) {
  // Loaded when needed: most processes never load the file of the mutant.
  const { transformSync } = createRequire(import.meta.url)('@swc/core');
  const { code } = transformSync(mutated(readFileSync(mutant.path, 'utf8'), mutant), {
    swcrc: false,
    filename: mutant.path,
    jsc: {
      target: 'es2024',
      parser: { syntax: 'typescript', decorators: true },
      transform: { legacyDecorator: true, decoratorMetadata: true, useDefineForClassFields: true },
    },
    module: { type: 'es6' },
  });
  return !isBuilt ? code : code.replaceAll(/(\bfrom |\bimport\()(['"])(\.[^'"]+)\.ts\2/g, '$1$2$3.js$2');
}
