import { readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { ConfigError } from './config-error.ts';
import { environmentName, type Field, keyOfEnvironmentName } from '../fields.ts';

/** A value and its source. */
export interface ConfigEntry {
  readonly key: string;
  readonly value: unknown;
  /** The source as messages name it: the name of a variable or a file. */
  readonly where: string;
  /** The directory that relative paths of the value start from. */
  readonly base: string;
  /** Set if a variable's text cannot be read as its kind; `value` is then the text. */
  readonly misread?: true;
}

const defaultFile = 'parlance.config.json';

/** The values of the configuration file: the one named by `--config`, otherwise `parlance.config.json` if it exists. */
export function fromFile(argv: readonly string[], cwd: string): readonly ConfigEntry[] {
  const named = configArgument(argv);
  const where = named ?? defaultFile;
  const path = resolve(cwd, where);
  const content = readJson(path, where, named === null);
  return Object.entries(content).map(([key, value]) => ({ key, value, where, base: dirname(path) }));
}

/**
 * The values of the environment: every variable that begins with PARLANCE_. `PARLANCE_X_FILE` names a file with the value of `PARLANCE_X`, so
 * that secrets need not be in the environment.
 */
export function fromEnvironment(
  env: Readonly<Record<string, string | undefined>>,
  cwd: string,
  fields: ReadonlyMap<string, Field>,
): readonly ConfigEntry[] {
  const keys = new Map([...fields.keys()].map((key) => [environmentName(key), key]));
  return Object.entries(env).flatMap(([where, text]) => {
    if (!where.startsWith('PARLANCE_') || text === undefined) return [];
    const key = keys.get(where);
    if (key !== undefined) return [{ key, where, base: cwd, ...read(text, fields.get(key)!) }];
    const variable = where.replace(/_FILE$/, '');
    const keyInFile = variable === where ? undefined : keys.get(variable);
    if (keyInFile === undefined) return [{ key: keyOfEnvironmentName(where), value: text, where, base: cwd }];
    if (env[variable] !== undefined) throw new ConfigError([`${variable} and ${where} are both set: keep one of them`]);
    return [{ key: keyInFile, where, base: cwd, ...read(textOfFile(resolve(cwd, text), where), fields.get(keyInFile)!) }];
  });
}

/** Removes one line break at the end, because editors and `echo` add one. */
function textOfFile(path: string, where: string): string {
  try {
    return readFileSync(path, 'utf8').replace(/\r?\n$/, '');
  } catch (error) {
    throw new ConfigError([
      `${where} can't be read (${(error as NodeJS.ErrnoException).code}): it has to name a readable file with the value`,
    ]);
  }
}

/** Reads a JSON file that must contain an object. With `mayBeAbsent`, an absent file counts as empty. */
export function readJson(path: string, where: string, mayBeAbsent = false): Readonly<Record<string, unknown>> {
  let text: string;
  try {
    text = readFileSync(path, 'utf8').replace(/^\uFEFF/, '');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' && mayBeAbsent) return {};
    throw new ConfigError([`${where} can't be read (${code}): a readable JSON file is needed there`]);
  }
  try {
    const content: unknown = JSON.parse(text);
    if (typeof content === 'object' && content !== null && !Array.isArray(content)) return content as Record<string, unknown>;
  } catch (error) {
    // The parser's message quotes the file, which may contain a secret, so only the position is reported.
    const position = /\(line \d+ column \d+\)/.exec((error as Error).message)?.[0];
    throw new ConfigError([`${where} is not valid JSON${position ? ` ${position}` : ''}`]);
  }
  throw new ConfigError([`${where} has to hold a JSON object`]);
}

function configArgument(argv: readonly string[]): string | null {
  for (const [index, argument] of argv.entries()) {
    if (argument === '--') break;
    const file = argument === '--config' ? (argv[index + 1] ?? '') : argument.startsWith('--config=') ? argument.slice(9) : null;
    if (file === '') throw new ConfigError(['--config needs the path of a JSON file after it']);
    if (file !== null) return file;
  }
  return null;
}

function read(text: string, field: Field): { value: unknown; misread?: true } {
  switch (field.kind) {
    case 'text':
      return { value: text };
    case 'number':
      return /^(0|[1-9]\d{0,14})$/.test(text) ? { value: Number(text) } : { value: text, misread: true };
    case 'flag':
      return text === 'true' || text === 'false' ? { value: text === 'true' } : { value: text, misread: true };
    case 'list':
      return { value: text === '' ? [] : text.split(',').map((item) => item.trim()) };
    case 'object-or-file':
      return /^\s*[{["]/.test(text) ? json(text) : { value: text };
    case 'object':
      return json(text);
  }
}

function json(text: string): { value: unknown; misread?: true } {
  try {
    return { value: JSON.parse(text) };
  } catch {
    return { value: text, misread: true };
  }
}
