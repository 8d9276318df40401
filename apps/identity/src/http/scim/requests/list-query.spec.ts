import { describe, expect, it } from '@jest/globals';
import { isShown, shown } from './list-query.ts';

const ann = {
  schemas: ['s'],
  id: '1',
  userName: 'ann',
  name: { givenName: 'Ann', familyName: 'Archer' },
  emails: [{ value: 'a', type: 'work' }],
};

describe('what is shown of a resource', () => {
  it('is all by default', () => expect(shown(ann, {})).toEqual(ann));
  it('is the requested attributes, and always the ID', () => {
    expect(shown(ann, { attributes: 'USERNAME, name.familyName,emails.value,none' })).toEqual({
      schemas: ['s'],
      id: '1',
      userName: 'ann',
      name: { familyName: 'Archer' },
      emails: [{ value: 'a' }],
    });
    expect(shown(ann, { attributes: 'urn:ietf:params:scim:schemas:core:2.0:User:name' })).toEqual({
      schemas: ['s'],
      id: '1',
      name: ann.name,
    });
  });
  it('is not what is excluded', () => {
    const { userName: _, ...others } = ann;
    expect(shown(ann, { excludedAttributes: 'userName,id,schemas' })).toEqual(others);
    expect(shown(ann, { excludedAttributes: 'name.givenName' })).toMatchObject({ name: { familyName: 'Archer' } });
  });
  it('is known before it is looked for', () => {
    expect(isShown('members', {})).toBe(true);
    expect(isShown('members', { attributes: 'members.value' })).toBe(true);
    expect(isShown('members', { attributes: 'displayName' })).toBe(false);
    expect(isShown('members', { excludedAttributes: 'members' })).toBe(false);
    expect(isShown('members', { excludedAttributes: 'members.display' })).toBe(true);
  });
});
