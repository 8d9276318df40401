import { describe, expect, it } from '@jest/globals';
import { isShown, shown } from './list-query.ts';

const ann = {
  schemas: ['s'],
  id: '1',
  userName: 'ann',
  name: { givenName: 'Ann', familyName: 'Archer' },
  emails: [{ value: 'a', type: 'work' }],
};

describe('the attributes that an answer shows', () => {
  it('are all attributes by default', () => expect(shown(ann, {})).toEqual(ann));
  it('are the requested ones, and always the ID', () => {
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
  it('do not include excluded ones', () => {
    const { userName: _, ...others } = ann;
    expect(shown(ann, { excludedAttributes: 'userName,id,schemas' })).toEqual(others);
    expect(shown(ann, { excludedAttributes: 'name.givenName' })).toMatchObject({ name: { familyName: 'Archer' } });
  });
  it('are known before the resource is read', () => {
    expect(isShown('members', {})).toBe(true);
    expect(isShown('members', { attributes: 'members.value' })).toBe(true);
    expect(isShown('members', { attributes: 'displayName' })).toBe(false);
    expect(isShown('members', { excludedAttributes: 'members' })).toBe(false);
    expect(isShown('members', { excludedAttributes: 'members.display' })).toBe(true);
  });
});
