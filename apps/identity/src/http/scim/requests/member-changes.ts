import type { Filter } from './filter.ts';
import { filterOf } from './filter.ts';
import { memberIds } from '../resources/group-resource.ts';
import { type Patchable, type PatchOperation, patchOperations } from './patch-operations.ts';
import { invalidFilter, invalidPath, invalidValue, readOnly } from '../scim-errors.ts';

/** The result of a PATCH, independent of the current members. */
export interface MemberChanges {
  /** False: all members leave, except those who join. */
  readonly keepsOthers: boolean;
  readonly joins: ReadonlySet<string>;
  readonly leaves: ReadonlySet<string>;
}

const patchable: Patchable = { displayName: {}, members: { parts: ['value', 'display', 'type', '$ref'], many: true } };

/**
 * Throws the refusals of `patchOperations`, `read_only` for another name, and `invalid_path`, `invalid_filter` and
 * `invalid_value` for members that are not identified by ID.
 */
export function memberChanges(group: string, body: unknown): MemberChanges {
  let keepsOthers = true;
  const joins = new Set<string>();
  const leaves = new Set<string>();
  for (const operation of patchOperations(body, patchable)) {
    if (operation.attribute === 'displayName') {
      requireName(group, operation);
      continue;
    }
    const named = namedMembers(operation);
    if (operation.op === 'replace' || named === null) {
      keepsOthers = false;
      joins.clear();
      leaves.clear();
    }
    for (const id of named ?? []) {
      const [into, outOf] = operation.op === 'remove' ? [leaves, joins] : [joins, leaves];
      into.add(id);
      outOf.delete(id);
    }
  }
  return { keepsOthers, joins, leaves };
}

/** A name may be sent but not changed, because bots are shared with groups by name. */
export function requireName(group: string, { op, value }: Pick<PatchOperation, 'op' | 'value'>): void {
  const isTheSame = typeof value === 'string' && value.normalize('NFC') === group.normalize('NFC');
  if (op === 'remove' || !isTheSame) throw readOnly('A group cannot be renamed. Create another one, and delete this one.');
}

/** The IDs in an operation. Null means all members. */
function namedMembers({ op, filter, sub, value }: PatchOperation): readonly string[] | null {
  if (sub !== null || (filter !== null && op !== 'remove')) throw invalidPath('A member can only be added, removed or replaced in full.');
  if (filter !== null) return idsIn(filterOf(filter));
  if (value !== undefined) return memberIds(value);
  if (op === 'remove') return null;
  throw invalidValue('The attribute members needs a value.');
}

/** Parsing folded the filter's values to lower case. IDs are upper case. */
function idsIn(filter: Filter): readonly string[] {
  if (filter.op === 'or') return filter.filters.flatMap(idsIn);
  if (filter.op === 'eq' && filter.attrPath.toLowerCase() === 'value' && typeof filter.compValue === 'string')
    return [filter.compValue.toUpperCase()];
  throw invalidFilter('Members are selected by value eq "…", or several of these with or.');
}
