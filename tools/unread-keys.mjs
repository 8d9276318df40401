import { readdirSync, readFileSync } from 'node:fs';
import { path } from './workspace.mjs';

/**
 * The keys of the configuration that no source asks for outside of where they are declared. They are found by how the code reads
 * them, so that no list has to be kept: `config.key`, `{ key }: Config`, `{ key } = this.config`, and the parameter
 * `settings: { readonly key: …` or `{ key }: { readonly key: …` of a library that is given the configuration.
 */
export function unreadKeys(keys) {
  const text = ['apps', 'libs', 'deploy'].flatMap((kind) => sourcesBelow(kind)).join('\n');
  return keys.filter((key) => !readsOf(key).some((read) => read.test(text)));
}

const readsOf = (key) => [
  new RegExp(String.raw`\bconfig\??\.${key}\b`),
  new RegExp(String.raw`\{[^{}]*\b${key}\b[^{}]*\}(: Config\b| = (this\.)?config\b)`),
  new RegExp(String.raw`(\bsettings|\}): \{\s*readonly ${key}: `),
];

function sourcesBelow(kind) {
  return readdirSync(path(kind), { recursive: true })
    .map((name) => `${kind}/${name.replaceAll('\\', '/')}`)
    .filter((file) => /^(apps|libs)\/[^/]+\/src\/.*\.ts$|^deploy\/helm\/.*\.tpl$/.test(file) && !/\.spec\.ts$|^libs\/config\//.test(file))
    .map((file) => readFileSync(path(file), 'utf8'));
}
