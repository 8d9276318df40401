import { describe, expect, it } from '@jest/globals';
import { wantedUser } from './user-resource.ts';

const wanted = (its: object) => wantedUser({ userName: 'ann@example.org', ...its });

describe('what a resource says of a user', () => {
  it('is the address in userName, or in emails if userName is not an address', () => {
    expect(wanted({ emails: [{ value: 'other@example.org', primary: true }] }).email).toBe('ann@example.org');
    const emails = [{ value: 'home@example.org' }, { value: 'work@example.org', primary: 'True' }];
    expect(wanted({ userName: 'ann', emails }).email).toBe('work@example.org');
    expect(wanted({ userName: 'ann', emails: emails.slice(0, 1) }).email).toBe('home@example.org');
    for (const its of [{ userName: 'ann' }, { userName: null }, { userName: `${'a'.repeat(250)}@example.org` }, { userName: 7 }])
      expect(() => wanted(its)).toThrow(expect.objectContaining({ code: 'invalid_value' }));
  });
  it('is a name, of whatever there is of one', () => {
    expect(wanted({ name: { GivenName: ' Ann ', familyName: 'Archer' } }).name).toEqual({ firstName: 'Ann', lastName: 'Archer' });
    expect(wanted({ name: { familyName: 'Archer' } }).name).toEqual({ firstName: '', lastName: 'Archer' });
    expect([wanted({}).name, wanted({ name: { givenName: '' } }).name]).toEqual([null, null]);
    expect(wanted({ displayName: 'Ann A.' }).nickname).toBe('Ann A.');
    expect(wanted({ name: { formatted: 'Ann B.' } }).nickname).toBe('Ann B.');
    expect(wanted({}).nickname).toBe('ann');
  });
  it('is no address that has something in it that is not seen, unless it is the one that the user has', () => {
    const userName = 'ann\u200b@example.org';
    expect(() => wanted({ userName })).toThrow(expect.objectContaining({ code: 'invalid_value' }));
    expect(wantedUser({ userName, active: false }, userName)).toMatchObject({ email: userName, active: false });
  });
  it('is a name of which something is seen', () => {
    expect(wanted({ name: { givenName: 'A\u0007n\nn', familyName: '\u3164' } }).name).toEqual({ firstName: 'A n n', lastName: '' });
    expect(wanted({ name: { givenName: '\u200b' }, displayName: '\u200b' })).toMatchObject({ name: null, nickname: 'ann' });
    expect(wanted({ name: { givenName: '👩\u200d👧' } }).name).toEqual({ firstName: '👩\u200d👧', lastName: '' });
  });
  it('is empty if the resource has no value', () =>
    expect(wanted({ active: null, externalId: '', password: null })).toMatchObject({ active: null, externalId: null, password: null }));
});
