import { readdirSync, readFileSync } from 'node:fs';
import { path } from './workspace.mjs';

/**
 * The keys of the configuration that no source asks for outside of where they are declared. They are found by how the code reads
 * them, `config.key`, `{ key }: Config` or `{ key } = this.config`, so that nobody has to keep a list.
 */
export function unreadKeys(keys) {
  const text = ['apps', 'libs'].flatMap((kind) => sourcesBelow(kind)).join('\n');
  const taken = String.raw`\}(: Config\b| = (this\.)?config\b)`;
  return keys.filter((key) => !new RegExp(`\\bconfig\\??\\.${key}\\b|\\{[^{}]*\\b${key}\\b[^{}]*${taken}`).test(text));
}

function sourcesBelow(kind) {
  return readdirSync(path(kind), { recursive: true })
    .map((name) => `${kind}/${name.replaceAll('\\', '/')}`)
    .filter((file) => /^(apps|libs)\/[^/]+\/src\/.*\.ts$/.test(file) && !/\.spec\.ts$|^libs\/config\//.test(file))
    .map((file) => readFileSync(path(file), 'utf8'));
}
