import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { scimPatch, type ScimPatchOperation, type ScimResource } from 'scim-patch';
import { type MemberChanges, memberChanges } from './member-changes.ts';

const changes = (...Operations: object[]) => memberChanges('Red', { Operations });
const settled = (before: readonly string[], { keepsOthers, joins, leaves }: MemberChanges) =>
  [...new Set([...before.filter((id) => keepsOthers && !leaves.has(id)), ...joins])].sort();

const id = fc.constantFrom('A', 'B', 'C', 'D', 'E');
const members = fc.uniqueArray(id, { maxLength: 4 }).map((ids) => ids.map((value) => ({ value })));
const operation = fc.oneof(
  fc.record({ op: fc.constantFrom('add', 'replace'), path: fc.constant('members'), value: members }),
  fc.record({ op: fc.constant('remove'), path: fc.constant('members'), value: members.filter((ids) => ids.length > 0) }),
  id.map((value) => ({ op: 'remove', path: `members[value eq "${value}"]` })),
  fc.tuple(id, id).map(([one, other]) => ({ op: 'remove', path: `members[value eq "${one}" or value eq "${other}"]` })),
  fc.constant({ op: 'remove', path: 'members' }),
);

describe('a patch of the members of a group', () => {
  it('has the same result as applying it to the whole list', () => {
    fc.assert(
      fc.property(fc.uniqueArray(id), fc.array(operation, { minLength: 1, maxLength: 8 }), (before, operations) => {
        // One operation at a time, because the library cannot remove from a list that an earlier removal has emptied.
        const wholeList = operations.reduce<readonly string[]>((ids, patch) => {
          const resource = { schemas: [], meta: {}, members: ids.map((value) => ({ value })) } as unknown as ScimResource & {
            members?: { value: string }[];
          };
          return (scimPatch(resource, [patch as ScimPatchOperation]).members ?? []).map(({ value }) => value);
        }, before);
        expect(settled(before, changes(...operations))).toEqual([...new Set(wholeList)].sort());
      }),
    );
  });
  it('accepts a single member, plain IDs, and names in any case', () => {
    expect(changes({ op: 'Add', path: 'Members', value: { Value: 'A' } }).joins).toEqual(new Set(['A']));
    expect(changes({ op: 'Add', value: { members: ['A', 'B'] } }).joins).toEqual(new Set(['A', 'B']));
    expect(changes({ op: 'Remove', path: 'members[VALUE eq "A"]' }).leaves).toEqual(new Set(['A']));
  });
  it('accepts the current name, but not another one', () => {
    expect(changes({ op: 'replace', value: { id: 'Red', displayName: 'Red', externalId: 'x' } }).joins.size).toBe(0);
    for (const patch of [{ path: 'displayName', value: 'Blue' }, { value: { displayName: 'Blue' } }])
      expect(() => changes({ op: 'replace', ...patch })).toThrow(expect.objectContaining({ code: 'read_only' }));
  });
  it.each<[object, string]>([
    [{ op: 'replace', path: 'members[value eq "A"].display', value: 'x' }, 'invalid_path'],
    [{ op: 'add', path: 'members[value eq "A"]', value: [{ value: 'A' }] }, 'invalid_path'],
    [{ op: 'remove', path: 'members[display eq "A"]' }, 'invalid_filter'],
    [{ op: 'remove', path: 'members[not (value eq "A")]' }, 'invalid_filter'],
    [{ op: 'add', path: 'members', value: [{ name: 'A' }] }, 'invalid_value'],
    [{ op: 'add', path: 'members' }, 'invalid_value'],
  ])('is refused: %j', (patch, code) => expect(() => changes(patch)).toThrow(expect.objectContaining({ code })));
});
