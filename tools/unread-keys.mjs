import { readdirSync, readFileSync } from 'node:fs';
import { path } from './workspace.mjs';

/**
 * The configuration keys that no source reads, apart from their declaration. A read is recognized by its form: `config.key`,
 * `{ key }: Config`, `{ key } = this.config`, or a library's parameter `settings: { readonly key: …` or `{ key }: { readonly key: …`.
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
