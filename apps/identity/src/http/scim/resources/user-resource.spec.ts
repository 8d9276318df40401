import { describe, expect, it } from '@jest/globals';
import { wantedUser } from './user-resource.ts';

const wanted = (attributes: object) => wantedUser({ userName: 'ann@example.org', ...attributes });

describe('the wanted user in a resource', () => {
  it('has the address in userName, or in emails if userName is not an address', () => {
    expect(wanted({ emails: [{ value: 'other@example.org', primary: true }] }).email).toBe('ann@example.org');
    const emails = [{ value: 'home@example.org' }, { value: 'work@example.org', primary: 'True' }];
    expect(wanted({ userName: 'ann', emails }).email).toBe('work@example.org');
    expect(wanted({ userName: 'ann', emails: emails.slice(0, 1) }).email).toBe('home@example.org');
    for (const attributes of [{ userName: 'ann' }, { userName: null }, { userName: `${'a'.repeat(250)}@example.org` }, { userName: 7 }])
      expect(() => wanted(attributes)).toThrow(expect.objectContaining({ code: 'invalid_value' }));
  });
  it('has the parts of the name that are present', () => {
    expect(wanted({ name: { GivenName: ' Ann ', familyName: 'Archer' } }).name).toEqual({ firstName: 'Ann', lastName: 'Archer' });
    expect(wanted({ name: { familyName: 'Archer' } }).name).toEqual({ firstName: '', lastName: 'Archer' });
    expect([wanted({}).name, wanted({ name: { givenName: '' } }).name]).toEqual([null, null]);
    expect(wanted({ displayName: 'Ann A.' }).nickname).toBe('Ann A.');
    expect(wanted({ name: { formatted: 'Ann B.' } }).nickname).toBe('Ann B.');
    expect(wanted({}).nickname).toBe('ann');
  });
  it('cannot have an address with invisible characters, except the current address of the user', () => {
    const userName = 'ann\u200b@example.org';
    expect(() => wanted({ userName })).toThrow(expect.objectContaining({ code: 'invalid_value' }));
    expect(wantedUser({ userName, active: false }, userName)).toMatchObject({ email: userName, active: false });
  });
  it('has a name only if some of it is visible', () => {
    expect(wanted({ name: { givenName: 'A\u0007n\nn', familyName: '\u3164' } }).name).toEqual({ firstName: 'A n n', lastName: '' });
    expect(wanted({ name: { givenName: '\u200b' }, displayName: '\u200b' })).toMatchObject({ name: null, nickname: 'ann' });
    expect(wanted({ name: { givenName: '👩\u200d👧' } }).name).toEqual({ firstName: '👩\u200d👧', lastName: '' });
  });
  it('is empty if the resource has no values', () =>
    expect(wanted({ active: null, externalId: '', password: null })).toMatchObject({ active: null, externalId: null, password: null }));
});
