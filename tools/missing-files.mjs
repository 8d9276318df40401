import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { path } from './workspace.mjs';

const documents = ['CONTRIBUTING.md', 'README.md', 'docs/architecture.md', 'docs/{how-to,tutorial}/*.md', '{apps,libs}/*/README.md'];

/** One message for each TypeScript file that a document names and that does not exist. A README names its project's files from `src/` or `test/`. */
export function missingFiles() {
  return globSync(documents, { cwd: path('.') }).flatMap((document) => {
    const named = [...readFileSync(path(document), 'utf8').matchAll(/`((?:apps|libs|src|test)\/[\w./-]+\.ts)`/g)].map(([, file]) => file);
    const isReadme = document.endsWith('/README.md');
    return [...new Set(named)]
      .filter((file) => isReadme || /^(apps|libs)\//.test(file))
      .filter((file) => ![path(file), path(dirname(document), file)].some((candidate) => existsSync(candidate)))
      .map((file) => `${document} names ${file}, which does not exist.`);
  });
}
