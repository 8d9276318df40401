import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { ProvisionedUser } from '../../../projections/provisioned-users.ts';
import { patchedUser } from './user-patch.ts';
import { provisionsFor, userResource, wantedUser } from '../resources/user-resource.ts';

const ann: ProvisionedUser = {
  user_id: '01K0000000000000000000000A',
  email: 'ann@example.org',
  email_verified: true,
  first_name: 'Ann',
  last_name: 'Archer',
  groups: ['Red'],
  enabled: true,
  create_time: 1,
  last_sign_in_time: null,
  update_time: 2,
  version: 3,
  externalId: 'ext-1',
};

const patched = (...Operations: object[]) =>
  provisionsFor(ann, wantedUser(patchedUser(userResource(ann, ''), { schemas: [], Operations })));
const refusal = (code: string) => expect.objectContaining({ code });

/** The expected user: the model that patches are compared with. */
interface Model {
  email: string;
  firstName: string;
  lastName: string;
  enabled: boolean;
  externalId: string | null;
}

type Step = readonly [operation: object, apply: (model: Model) => Partial<Model>];

const name = fc.stringMatching(/^[A-Z][a-z]{1,8}$/);
const replacing = fc.constantFrom('replace', 'Replace', 'add', 'Add');
const steps: fc.Arbitrary<Step> = fc.oneof(
  fc
    .tuple(
      replacing,
      fc.constantFrom('name.givenName', 'NAME.GIVENNAME', 'urn:ietf:params:scim:schemas:core:2.0:User:name.givenName'),
      name,
    )
    .map(([op, path, value]): Step => [{ op, path, value }, () => ({ firstName: value })]),
  fc.tuple(replacing, name).map(([op, value]): Step => [{ op, value: { 'name.familyName': value, id: 'x' } }, () => ({ lastName: value })]),
  fc
    .tuple(replacing, name, name)
    .map(([op, givenName, familyName]): Step => [
      { op, path: 'name', value: { givenName, familyName } },
      () => ({ firstName: givenName, lastName: familyName }),
    ]),
  fc.tuple(replacing, name).map(([op, givenName]): Step => [{ op, value: { name: { givenName } } }, () => ({ firstName: givenName })]),
  fc
    .tuple(replacing, fc.boolean(), fc.boolean())
    .map(([op, active, asText]): Step => [
      { op, value: { active: asText ? (active ? 'True' : 'False') : active } },
      () => ({ enabled: active }),
    ]),
  fc
    .tuple(replacing, name)
    .map(([op, value]): Step => [{ op, path: 'userName', value: `${value}@example.org` }, () => ({ email: `${value}@example.org` })]),
  fc.tuple(replacing, name).map(([op, value]): Step => [{ op, path: 'externalId', value }, () => ({ externalId: value })]),
  fc.constant<Step>([{ op: 'Remove', path: 'externalId' }, () => ({ externalId: null })]),
  fc.constant<Step>([{ op: 'replace', path: 'displayName', value: 'Somebody Else' }, () => ({})]),
  fc.constant<Step>([{ op: 'add', path: 'emails', value: [{ type: 'home', value: 'home@example.org' }] }, () => ({})]),
  fc.constant<Step>([
    { op: 'add', value: { 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User': { department: 'x' } } },
    () => ({}),
  ]),
);

describe('a patch of a user', () => {
  it('applies its operations one after the other, in any notation', () => {
    const before: Model = {
      email: ann.email,
      firstName: ann.first_name,
      lastName: ann.last_name,
      enabled: ann.enabled,
      externalId: ann.externalId,
    };
    fc.assert(
      fc.property(fc.array(steps, { minLength: 1, maxLength: 12 }), (all) => {
        const after = all.reduce<Model>((model, [, apply]) => ({ ...model, ...apply(model) }), before);
        expect({ ...before, ...patched(...all.map(([operation]) => operation)) }).toEqual(after);
      }),
    );
  });
  it('requests no change if the user would stay the same', () => {
    expect(patched({ op: 'replace', value: { active: true, userName: 'ann@example.org' } })).toEqual({});
    expect(patched({ op: 'replace', path: 'nickName', value: 'Annie' })).toEqual({});
    expect(patched({ op: 'replace', path: 'name.middleName', value: 'A.' })).toEqual({});
  });
  it('keeps a name whose removal is requested, because every user has one', () =>
    expect(patched({ op: 'remove', path: 'name' })).toEqual({}));
  it.each<[string, object]>([
    ['a dotted name', { op: 'add', path: 'name', value: { '__proto__.polluted': 1 } }],
    ['a name without a path', { op: 'add', value: { '__proto__.polluted': 1 } }],
    ['a path', { op: 'add', path: '__proto__.polluted', value: 1 }],
    ['a part of an address', { op: 'add', path: 'emails[type eq "work"]', value: { '__proto__.polluted': 1 } }],
    ['a new address', { op: 'add', path: 'emails', value: { '__proto__.polluted': 1, value: 'x' } }],
  ])('writes only attributes of a user, through %s', (_, operation) => {
    try {
      patched(operation);
    } catch (error) {
      expect(error).toMatchObject({ kind: 'invalid' });
    }
    // Clones are made in another realm than this file's objects.
    for (const any of [{}, structuredClone({})] as { polluted?: unknown }[]) expect(any.polluted).toBeUndefined();
  });
  it.each<[object, string]>([
    [{ op: 'add', path: 'userName' }, 'invalid_value'],
    [{ op: 'add', path: 'userName', value: {} }, 'invalid_value'],
    [{ op: 'remove', path: 'id' }, 'read_only'],
    [{ op: 'add', value: 'x' }, 'invalid_value'],
    [{ op: 'add', path: 1, value: 'x' }, 'invalid_path'],
    [{ op: 'add', path: `emails[type eq "${'\n'.repeat(50)}].value`, value: 'x' }, 'invalid_path'],
    [{}, 'invalid_body'],
  ])('is refused: %j', (operation, code) => expect(() => patched(operation)).toThrow(refusal(code)));
  it.each([{}, { Operations: [] }, { Operations: 'all' }, null, []])('has operations: not %j', (body) =>
    expect(() => patchedUser(userResource(ann, ''), body)).toThrow(refusal('invalid_body')),
  );
});
