import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { NotDone } from '../not-done.ts';

export interface Options {
  /** LiteLLM's config.yaml. */
  readonly file: string;
  /** The directory with the exported tables; null for a configuration alone. */
  readonly database: string | null;
  /** LiteLLM's list of prices; null for prices of the configuration and of the built-in catalogue alone. */
  readonly prices: string | null;
  readonly isApplied: boolean;
  /** The address of Parlance; null for `publicBaseUrl` of the configuration. */
  readonly url: string | null;
  /** The administrator's token; null for a dry run that does not look at an installation. */
  readonly token: string | null;
  /** The file for the new tokens. */
  readonly tokensFile: string;
  /** The group that owns the service accounts. */
  readonly group: string;
}

export const USAGE =
  'parlance import-litellm FILE [--database DIR] [--prices FILE] [--token-file FILE] [--url URL] [--group NAME] [--tokens FILE] [--apply]';

/** Throws `NotDone`. */
export function optionsOf(words: readonly string[]): Options {
  const text = { type: 'string' } as const;
  const options = {
    database: text,
    prices: text,
    'token-file': text,
    url: text,
    group: text,
    tokens: text,
    apply: { type: 'boolean' },
  } as const;
  let parsed;
  try {
    parsed = parseArgs({ args: [...words], options, allowPositionals: true });
  } catch (error) {
    throw new NotDone(`${(error as Error).message}: ${USAGE}`);
  }
  const { values, positionals } = parsed;
  const [file, ...more] = positionals;
  if (file === undefined || more.length > 0) throw new NotDone(`an import needs one config.yaml of LiteLLM: ${USAGE}`);
  if (values.apply && values['token-file'] === undefined)
    throw new NotDone('--apply needs --token-file, a file with the token of an administrator');
  return {
    file: resolve(file),
    database: values.database === undefined ? null : resolve(values.database),
    prices: values.prices === undefined ? null : resolve(values.prices),
    isApplied: values.apply === true,
    url: values.url ?? null,
    token: values['token-file'] === undefined ? null : tokenIn(values['token-file']),
    tokensFile: resolve(values.tokens ?? 'litellm-tokens.jsonl'),
    group: values.group ?? 'LiteLLM',
  };
}

function tokenIn(path: string): string {
  let token;
  try {
    token = readFileSync(path, 'utf8').trim();
  } catch {
    throw new NotDone(`--token-file: ${path} cannot be read`);
  }
  if (!/^[!-~]+$/.test(token)) throw new NotDone(`--token-file: ${path} must contain a token and nothing else`);
  return token;
}
