import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { requiredValue, filterOf, matcherOf, mentions } from './filter.ts';

const ann = {
  id: '01K0000000000000000000000A',
  userName: 'Ann@example.org',
  externalId: 'Ab',
  active: true,
  emails: [{ value: 'Ann@example.org' }],
};
const finds = (text: string) => matcherOf(filterOf(text))(ann);

describe('a filter', () => {
  it.each([
    'userName eq "ann@EXAMPLE.org"',
    'USERNAME sw "ann@"',
    'urn:ietf:params:scim:schemas:core:2.0:User:userName co "example"',
    'externalId eq "Ab"',
    'active eq true',
    'active eq "True"',
    'emails[value eq "ann@example.org"]',
    'emails.value ew ".org" and not (userName eq "ben")',
    'userName eq "ben" or id eq "01K0000000000000000000000A"',
    'externalId pr',
  ])('finds by %s', (text) => expect(finds(text)).toBe(true));
  it.each(['externalId eq "ab"', 'active eq false', 'nickName eq "ann"', 'not (active eq true)', 'constructor pr', '__proto__ pr'])(
    'finds no user by %s',
    (text) => expect(finds(text)).toBe(false),
  );
  it.each([
    '',
    'userName',
    'userName eq ann',
    'userName eq "ann',
    '(userName pr',
    'userName pr )',
    `userName eq "${'\n'.repeat(50)}`,
    'x'.repeat(2001),
  ])('is refused if it cannot be parsed: %j', (text) =>
    expect(() => filterOf(text)).toThrow(expect.objectContaining({ code: 'invalid_filter' })),
  );
  it('is parsed or refused quickly, whatever it is', () => {
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom('(', ')', '[', ']', '"', '\\', ' ', 'and', 'or', 'not', 'userName', 'eq', 'pr', '1', '.'), {
          maxLength: 60,
        }),
        (parts) => {
          try {
            matcherOf(filterOf(parts.join(' ')))(ann);
          } catch (error) {
            expect(error).toMatchObject({ code: 'invalid_filter' });
          }
        },
      ),
    );
  });
});

describe('the value that a filter requires', () => {
  it.each<[string, string, string | null]>([
    ['userName eq "Ann@example.org"', 'username', 'ann@example.org'],
    ['active eq true and userName eq "ann"', 'username', 'ann'],
    ['emails[type eq "work" and value eq "ann"]', 'emails.value', 'ann'],
    ['userName eq "ann" or userName eq "ben"', 'username', null],
    ['not (userName eq "ann")', 'username', null],
    ['userName sw "ann"', 'username', null],
  ])('by %s of %s', (text, path, value) => expect(requiredValue(filterOf(text), path)).toBe(value));
  it('may use members', () => {
    expect(mentions(filterOf('displayName eq "a" and not (members.value eq "b")'), 'members')).toBe(true);
    expect(mentions(filterOf('displayName eq "members"'), 'members')).toBe(false);
  });
});
