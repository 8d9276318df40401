// Reads and sets the product's version, which is in several files. Run as a program, it checks that the files agree.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { writeResults } from './results.mjs';
import { path } from './workspace.mjs';

const manifests = [
  'package.json',
  ...['apps', 'libs'].flatMap((kind) => readdirSync(path(kind)).map((name) => `${kind}/${name}/package.json`)),
];

/** Files that name the version, with the text directly before it. */
const places = [
  ...manifests.map((file) => [file, '"version": "']),
  ['libs/foundation/src/wiring/common.module.ts', "export const VERSION = '"],
  ['deploy/helm/parlance/Chart.yaml', '\nversion: '],
  ['deploy/helm/parlance/Chart.yaml', 'appVersion: '],
  ['docker-compose.yml', 'parlance:'],
  ['deploy/Dockerfile', 'parlance:'],
  ['deploy/.env.example', 'parlance:'],
  ['deploy/README.md', 'parlance:'],
  ['deploy/cluster/cases/installation.mjs', 'parlance:'],
  ['libs/client/README.md', 'parlance-client-'],
];

export const versionOfProduct = () => JSON.parse(readFileSync(path('package.json'), 'utf8')).version;

/** Sets the version in all files, including the lock file. */
export function setVersion(next) {
  const before = versionOfProduct();
  for (const [file, lead] of places) {
    const text = readFileSync(path(file), 'utf8');
    // Only the first version, which is the manifest's own.
    const changed = file.endsWith('.json')
      ? text.replace(`${lead}${before}"`, `${lead}${next}"`)
      : text.replaceAll(`${lead}${before}`, `${lead}${next}`);
    writeFileSync(path(file), changed);
  }
  const lock = JSON.parse(readFileSync(path('package-lock.json'), 'utf8'));
  lock.version = next;
  for (const [folder, entry] of Object.entries(lock.packages))
    if (folder === '' || /^(apps|libs)\/[^/]+$/.test(folder)) entry.version = next;
  writeFileSync(path('package-lock.json'), `${JSON.stringify(lock, null, 2)}\n`);
}

/** One message for each file that does not name the version. */
function disagreements() {
  const version = versionOfProduct();
  return places
    .filter(([file, lead]) => !readFileSync(path(file), 'utf8').includes(`${lead}${version}`))
    .map(([file, lead]) => `${file} does not say ${lead.trim()}${version}. Set the version with tools/release.mjs.`);
}

if (process.argv[1] === import.meta.filename) {
  const wrong = disagreements();
  for (const problem of wrong) console.error(problem);
  writeResults({ passed: wrong.length === 0 ? 1 : 0, failed: wrong.length });
  process.exitCode = wrong.length > 0 ? 1 : 0;
}
