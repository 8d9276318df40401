import { describe, expect, it } from '@jest/globals';
import { personOf } from './external-person.ts';

const who = { iss: 'https://id.example.org', sub: '1' };
const person = (claims: object) => personOf({ ...who, ...claims }, 'roles');
const names = (claims: object) => {
  const { firstName, lastName } = person(claims);
  return [firstName, lastName];
};

describe('a person as a provider describes them', () => {
  it.each<[object, string[]]>([
    [{ given_name: 'Ann', family_name: 'Archer', name: 'X Y' }, ['Ann', 'Archer']],
    [{ given_name: 'Ann' }, ['Ann', '']],
    [{ family_name: 'Archer', name: 'X Y' }, ['', 'Archer']],
    [{ name: 'Ann van Archer' }, ['Ann', 'van Archer']],
    [{ name: '  Ann ' }, ['Ann', '']],
    [{ given_name: ' ', name: '', email: 'ann.archer@example.org' }, ['ann.archer', '']],
    [{ given_name: 7, name: ['Ann'], email: 'ann@example.org' }, ['ann', '']],
    [{ given_name: 'A\u0000n\nn' }, ['A n n', '']],
    [{ given_name: '\u200b', family_name: '\u3164', name: 'Ann Archer' }, ['Ann', 'Archer']],
    [{ given_name: '👩\u200d👧' }, ['👩\u200d👧', '']],
    [{ given_name: '🙂'.repeat(101) }, ['🙂'.repeat(100), '']],
  ])('with %j has the names %j', (claims, expected) => expect(names(claims)).toEqual(expected));

  it.each([true, 'true'])('has an address that is verified: %j', (email_verified) =>
    expect(person({ email: 'Ann@example.org', email_verified }).email).toBe('Ann@example.org'),
  );
  it.each([false, 'false', 'True', 1, null, undefined, {}])('has no address if it is verified: %j', (email_verified) =>
    expect(person({ email: 'ann@example.org', email_verified }).email).toBeNull(),
  );
  it.each([
    '',
    'ann',
    '@example.org',
    'ann@',
    'a@b@c',
    'a b@example.org',
    'ann@example.org\n',
    'ann\u200b@example.org',
    'ann@exam\u00adple.org',
    `${'a'.repeat(250)}@b.cc`,
    7,
    ['ann@example.org'],
  ])('has no address if it is %j', (email) => expect(person({ email, email_verified: true }).email).toBeNull());
  it.each<[unknown, string[]]>([
    [
      ['a', 'b'],
      ['a', 'b'],
    ],
    ['a', ['a']],
    [undefined, []],
    [null, []],
    [['a', 7, { name: 'b' }], ['a']],
    [{ a: true }, []],
  ])('is in groups: %j', (roles, groups) => expect(person({ roles }).groups).toEqual(groups));
});
