import { validateSync, type ValidationError } from 'class-validator';
import { shown } from './config-error.ts';
import { type Constructor, type Field, fieldsOf, type Shape } from '../fields.ts';
import { nearest } from './nearest.ts';

/** Collects errors while a `Config` is built, and knows the source of the value at each path. */
export interface Draft {
  readonly problems: string[];
  readonly where: (path: string) => string;
}

const perhapsSecret = /pas+w|pass|pwd|psw|secret|token|key|uri|cred|auth/i;
/** Values of this form are never secret, even under the name of a secret. */
const PLAIN = /^(true|false|null|"?\d{1,5}"?)$/;
const joinPath = (path: string, key: string): string => (path === '' ? key : `${path}.${key}`);

/** Makes an instance of a configuration class from plain JSON. Invalid values are reported and keep their defaults. */
export function instance(type: Constructor, raw: object, path: string, draft: Draft): object {
  const fields = fieldsOf(type);
  const built = new type() as Record<string, unknown>;
  for (const [key, value] of Object.entries(raw)) {
    const field = fields.get(key);
    const at = joinPath(path, key);
    if (!field) {
      draft.problems.push(unknownKey(at, key, value, fields, draft));
      continue;
    }
    const converted = field.shape && value !== null ? nestedInstances(field.shape, value, at, draft) : value;
    if (converted === undefined) draft.problems.push(notAllowed(at, value, field, draft));
    else built[key] = converted;
  }
  return built;
}

/** The validation errors of an instance in the order of its keys, one sentence each. */
export function errorsOf(built: object, draft: Draft): readonly string[] {
  const keys = [...fieldsOf(built.constructor).keys()];
  return validateSync(built, { stopAtFirstError: true })
    .toSorted((a, b) => keys.indexOf(a.property) - keys.indexOf(b.property))
    .flatMap((error) => sentences(error, '', draft));
}

function sentences(error: ValidationError, path: string, draft: Draft): readonly string[] {
  const at = joinPath(path, error.property);
  if (error.children?.length) return error.children.flatMap((child) => sentences(child, at, draft));
  const field = fieldsOf(error.target?.constructor).get(error.property);
  return field ? [notAllowed(at, error.value, field, draft)] : [];
}

export function notAllowed(path: string, value: unknown, field: Pick<Field, 'allowed' | 'secret' | 'shape'>, draft: Draft): string {
  const source = `(${draft.where(path)})`;
  if (value === undefined) return `${path} is missing ${source}: it has to be ${field.allowed}`;
  // A value where an object is expected may be a malformed version of that object, including its secrets.
  const text = field.shape ? '…' : shown(value, field.secret);
  return `${path} = ${text} ${source} is not allowed: it has to be ${field.allowed}`;
}

function unknownKey(path: string, key: string, value: unknown, fields: ReadonlyMap<string, Field>, draft: Draft): string {
  const suggestion = nearest(key, fields.keys());
  // A key that looks like a misspelt secret is treated as a secret.
  const secret = (suggestion !== null && fields.get(suggestion)!.secret) || (perhapsSecret.test(key) && !PLAIN.test(JSON.stringify(value)));
  const text = typeof value === 'object' && value !== null ? '…' : shown(value, secret);
  const allowed = suggestion ? `did you mean ${suggestion}?` : `the known keys are ${[...fields.keys()].join(', ')}`;
  return `${shown(path, false).slice(1, -1)} = ${text} (${draft.where(path)}) is not a known key: ${allowed}`;
}

/** Makes the instances that an object, a list or a map of objects holds; undefined if the value does not have that shape. */
function nestedInstances({ type, many }: Shape, value: unknown, path: string, draft: Draft): unknown {
  if (many === 'list') {
    if (!Array.isArray(value) || !value.every(isObject)) return undefined;
    return value.map((item, index) => instance(type, item, `${path}.${index}`, draft));
  }
  if (!isObject(value)) return undefined;
  if (many === 'one') return instance(type, value, path, draft);
  const entries = Object.entries(value);
  if (!entries.every(([, item]) => isObject(item))) return undefined;
  // A Map during validation, because class-validator does not support free-form objects. `settled` turns it into an object again.
  return new Map(entries.map(([name, item]) => [name, instance(type, item as object, `${path}.${name}`, draft)]));
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The same value, deeply frozen, with Maps turned into plain objects. */
export function settled<Value>(value: Value): Value {
  if (typeof value !== 'object' || value === null) return value;
  const record = value as Record<string, unknown>;
  for (const [key, inner] of Object.entries(record)) record[key] = settled(inner instanceof Map ? Object.fromEntries(inner) : inner);
  return Object.freeze(value);
}
