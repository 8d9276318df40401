import 'reflect-metadata';
import { describe, expect, it } from '@jest/globals';
import { mustEnd } from '@parlance/testing';
import { validateSync } from 'class-validator';
import { isAddress, isGroupName, loadConfig } from '@parlance/config';
import { personOf } from '../workflows/external-person.ts';
import { addressPattern, givenAddressPattern, IsAddress, IsGroupName, IsName, namePattern } from './bodies.ts';
import { wantedUser } from './scim/resources/user-resource.ts';

class Body {
  @IsAddress() address = 'ann@example.org';
  @IsName() name = 'Ann';
  @IsGroupName() group = 'red';
}

const passes = (fields: Partial<Body>) => validateSync(Object.assign(new Body(), fields)).length === 0;
describe('an address', () => {
  it.each(['ann@example.org', 'jos\u00e9@example.org', 'ann@ex\u00e4mple.org', '"a b"@example.org'])('may be %j', (address) =>
    expect(passes({ address })).toBe(true),
  );
  const refused = [
    'ann\u200b@example.org',
    'ann@exam\u00adple.org',
    '"a\u0001"@example.org',
    'ann\u{e0061}@example.org',
    'x@localhost',
    // Code points that fonts do not show, and an address with a route through another host.
    'ann\u034f@example.org',
    'a\u3164nn@example.org',
    'ann@exam\ufe0fple.org',
    'ann\u115f@example.org',
    'ann\u{e0100}@example.org',
    'ann%example.com@example.org',
    'ann@exam%70le.org',
    '%@example.org',
    '"a%b"@example.org',
  ];
  it.each(refused)('may not be %j in any request', (address) => {
    expect(passes({ address })).toBe(false);
    expect(isAddress(address)).toBe(false);
    expect(() => wantedUser({ userName: address })).toThrow('e-mail address');
    expect(personOf({ iss: 'i', sub: 's', email: address, email_verified: true }, 'groups').email).toBe(
      address === 'x@localhost' ? address : null,
    );
    const load = () => loadConfig({ argv: [], env: { PARLANCE_ADMIN_EMAIL: address }, cwd: '/nowhere' });
    expect(load).toThrow('adminEmail');
  });
  it('of an existing user may stay', () =>
    expect(wantedUser({ userName: 'a%b@example.org' }, 'a%b@example.org').email).toBe('a%b@example.org'));
});

const family = '\u{1F469}\u200d\u{1F469}\u200d\u{1F467}';

describe('a name', () => {
  const both = (name: string) => [passes({ name }), new RegExp(namePattern).test(name)];

  it.each(['Ann', 'O\u2019Neill', '\u674e', '7', '\u2026', '\u00ad-', '\u{1F600}', family, 'A\u030a', '\u0e2a\u0e21'])(
    'may be %j, and the document says so',
    (name) => expect(both(name)).toEqual([true, true]),
  );
  it.each(['', ' ', '\u00a0', '\u200b', '\u2060\ufeff', '\u3164', '\u00ad', '\u2800', 'A\nB', '\u0007', 'Ann\u0085', '\u200d'])(
    'may not be %j, and the document says so',
    (name) => expect(both(name)).toEqual([false, false]),
  );
  it.each(['\u0301', '\u{e0061}'])('may not be %j, a rule that the document cannot express', (name) =>
    expect(both(name)).toEqual([false, true]),
  );
  it('is checked in linear time', () => expect(mustEnd(() => passes({ name: `${'a'.repeat(2_000_000)}\n` }))).toBe(false));
});

describe('the name of a group', () => {
  it.each(['red', '\u00c4rzte', 'a b', '\u674e'])('may be %j', (group) =>
    expect([passes({ group }), isGroupName(group)]).toEqual([true, true]),
  );
  it.each([' red', 'red ', 'a,b', 'a\tb', 're\u200bd', '\u202ered', family, 'red\u{e0061}', '\u00ad'])('may not be %j', (group) =>
    expect([passes({ group }), isGroupName(group)]).toEqual([false, false]),
  );
});

describe('the patterns of the document', () => {
  it("exclude the invisible characters of Unicode's first plane", () => {
    const [given, address] = [new RegExp(givenAddressPattern), new RegExp(addressPattern)];
    const wrong: string[] = [];
    for (let code = 0; code < 0x10000; code++) {
      const text = String.fromCharCode(code);
      if (given.test(text) === /[\p{Cc}\p{Cf}]/u.test(text)) wrong.push(code.toString(16));
      if (address.test(text) === /[\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}%]/u.test(text)) wrong.push(code.toString(16));
    }
    expect(wrong).toEqual([]);
  });
});
