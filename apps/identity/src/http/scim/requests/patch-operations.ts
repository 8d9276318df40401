import { attribute, isLoose, looseBody } from './loose-body.ts';
import { invalidBody, invalidPath, invalidValue, noTarget, readOnly } from '../scim-errors.ts';

/** One operation of a PATCH (RFC 7644, 3.5.2) on one known attribute, with the attribute's canonical name. */
export interface PatchOperation {
  readonly op: 'add' | 'remove' | 'replace';
  readonly attribute: string;
  /** The filter in brackets. */
  readonly filter: string | null;
  readonly sub: string | null;
  /** Absent if the client sent none, or null. */
  readonly value?: unknown;
}

/** The attributes that a PATCH may change. `parts`: sub-attributes. `many`: the attribute is a list. */
export type Patchable = Readonly<Record<string, { readonly parts?: readonly string[] | undefined; readonly many?: boolean | undefined }>>;

const MOST_OPERATIONS = 1000;
const LONGEST_PATH = 1000;
const anyUrn = /^urn:[^[\]]*:/i;
const coreUrn = /^urn:ietf:params:scim:schemas:core:2\.0:(?:User|Group):/i;
const form = /^([a-z$][\w$-]*)(?:\[(\P{Cc}+)\])?(?:\.([a-z$][\w$-]*))?$/iu;
const readOnlyNames: ReadonlySet<string> = new Set(['id', 'meta', 'schemas', 'groups']);

/**
 * The operations of a PATCH in order, one attribute each, for every notation: Entra's capitals and dotted names, Okta's objects
 * without a path. Unknown attributes and extensions are ignored.
 * Throws the refusals `invalid_body`, `invalid_path`, `no_target` and `read_only`.
 */
export function patchOperations(body: unknown, known: Patchable): readonly PatchOperation[] {
  const operations = attribute(looseBody(body), 'Operations');
  if (!Array.isArray(operations) || operations.length === 0 || operations.length > MOST_OPERATIONS)
    throw invalidBody(`The field Operations must be a list of 1 to ${MOST_OPERATIONS} operations.`);
  return operations.flatMap((operation: unknown) => {
    const step = looseBody(operation);
    const op = opOf(attribute(step, 'op'));
    const path = attribute(step, 'path');
    const value = attribute(step, 'value');
    if (typeof path === 'string' && path !== '') return at(op, path, value, known, true);
    if (op === 'remove') throw noTarget('A removal needs a path.');
    if (path !== null && path !== '') throw invalidPath('The field path must be a string.');
    if (!isLoose(value)) throw invalidValue('The value of an operation without a path must be an object with attributes.');
    return Object.entries(value).flatMap(([name, part]) => at(op, name, part, known, false));
  });
}

function opOf(op: unknown): PatchOperation['op'] {
  const word = typeof op === 'string' ? op.toLowerCase() : op;
  if (word === 'add' || word === 'remove' || word === 'replace') return word;
  throw invalidBody('The field op must be add, remove or replace.');
}

/** An object for an attribute with parts becomes one operation for each part. */
function at(op: PatchOperation['op'], path: string, value: unknown, known: Patchable, named: boolean): readonly PatchOperation[] {
  const local = path.slice(0, LONGEST_PATH + 1).replace(coreUrn, '');
  if (anyUrn.test(local)) return [];
  const [, name = '', filter = null, part = null] = (local.length <= LONGEST_PATH && form.exec(local)) || [];
  if (name === '') throw invalidPath('A path must be like name.familyName or members[value eq "…"].');
  // Without a path clients send the whole resource, including read-only attributes, which are ignored.
  if (named && readOnlyNames.has(name.toLowerCase()) && !canonicalName(known, name))
    throw readOnly(`The attribute ${name} cannot be changed here.`);
  const canonical = canonicalName(known, name);
  if (canonical === null) return [];
  const { parts = [], many = false } = known[canonical] ?? {};
  const sub = part === null ? null : parts.find((subName) => subName.toLowerCase() === part.toLowerCase());
  if (sub === undefined) return [];
  if (sub === null && parts.length > 0 && !many && isLoose(value))
    return Object.entries(value).flatMap(([key, inner]) => at(op, `${canonical}.${key}`, inner, known, false));
  return [{ op, attribute: canonical, filter, sub, ...(value !== null && { value }) }];
}

const canonicalName = (known: Patchable, name: string): string | null =>
  Object.keys(known).find((each) => each.toLowerCase() === name.toLowerCase()) ?? null;
