import { ScimError, type ScimPatchOperation, scimPatch, type ScimResource } from 'scim-patch';
import { attribute, isLoose, type Loose } from './loose-body.ts';
import { filterOf } from './filter.ts';
import { type PatchOperation, type Patchable, patchOperations } from './patch-operations.ts';
import { invalidBody, invalidValue, noTarget } from '../scim-errors.ts';
import { writableAttributes } from '../resources/user-attributes.ts';
import type { userResource } from '../resources/user-resource.ts';

const emailParts = ['value', 'type', 'primary', 'display'] as const;

const patchable: Patchable = {
  ...Object.fromEntries(
    writableAttributes.map(({ name, multiValued, subAttributes }) => [
      name,
      { parts: subAttributes?.map((part) => part.name), many: multiValued },
    ]),
  ),
  emails: { parts: emailParts, many: true },
};

/**
 * A user's resource after all operations of a PATCH. If one operation is refused, none is applied.
 * Throws the refusals of `patchOperations`, and `invalid_filter`, `invalid_value` and `no_target`.
 */
export function patchedUser(resource: ReturnType<typeof userResource>, body: unknown): object {
  const operations = patchOperations(body, patchable).map(toLibrary);
  try {
    return scimPatch(structuredClone(resource) as unknown as ScimResource, operations, { mutateDocument: true, treatMissingAsAdd: true });
  } catch (error) {
    if (!(error instanceof ScimError)) throw error;
    throw error.scimCode === 'noTarget' ? noTarget('A path matches nothing.') : invalidBody('An operation cannot be carried out.');
  }
}

/**
 * The library writes to any path, even `__proto__.x`. So paths and values passed to it contain only names from the list above.
 */
function toLibrary({ op, attribute: name, filter, sub, value }: PatchOperation): ScimPatchOperation {
  if (filter !== null) filterOf(filter);
  const path = `${name}${filter === null ? '' : `[${filter}]`}${sub === null ? '' : `.${sub}`}`;
  if (op === 'remove') return { op, path };
  if (value === undefined) throw invalidValue(`The attribute ${path} needs a value.`);
  return { op, path, value: name === 'emails' && sub === null ? emailsIn(value) : plain(value, path) };
}

const emailsIn = (value: unknown): unknown => (Array.isArray(value) ? value.map(emailIn) : emailIn(value));

function emailIn(value: unknown): object {
  if (!isLoose(value)) throw invalidValue('Each item of emails must be an object.');
  return Object.fromEntries(
    emailParts.map((part) => [part, plain(attribute(value, part), part)]).filter(([, content]) => content !== null),
  );
}

function plain(value: unknown, path: string): Loose[string] {
  if (typeof value === 'object' && value !== null) throw invalidValue(`The attribute ${path} must be a single value.`);
  return value;
}
