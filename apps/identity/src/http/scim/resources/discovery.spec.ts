import { describe, expect, it } from '@jest/globals';
import { schemas } from './discovery.ts';
import { groupResource, groupUrn } from './group-resource.ts';
import { userResource, userUrn } from './user-resource.ts';

interface Attribute {
  readonly name: string;
  readonly multiValued: boolean;
  readonly subAttributes?: readonly Attribute[];
}

const base = 'https://chat.example.org/scim/v2';
/** The attributes that every resource has and no schema declares (RFC 7643, 3.1). */
const COMMON = ['schemas', 'id', 'meta'];

const user = userResource(
  {
    user_id: 'u1',
    email: 'ann@example.org',
    first_name: 'Ann',
    last_name: 'Archer',
    groups: ['Research'],
    enabled: true,
    create_time: 1,
    update_time: 2,
    version: 3,
    externalId: 'e1',
  } as unknown as Parameters<typeof userResource>[0],
  base,
);
const group = groupResource(
  { name: 'Research', create_time: 1 } as Parameters<typeof groupResource>[0],
  [{ userId: 'u1', display: 'Ann' }],
  base,
);

/** The paths of attributes that a resource has and its schema does not declare. */
function undeclared(value: object, attributes: readonly Attribute[], path = ''): string[] {
  return Object.entries(value).flatMap(([name, member]) => {
    const memberPath = `${path}${name}`;
    if (path === '' && COMMON.includes(name)) return [];
    const attribute = attributes.find((each) => each.name === name);
    if (!attribute || attribute.multiValued !== Array.isArray(member)) return [memberPath];
    return [member]
      .flat()
      .flatMap((part: unknown) =>
        typeof part === 'object' && part ? undeclared(part, attribute.subAttributes ?? [], `${memberPath}.`) : [],
      );
  });
}

describe('the SCIM schemas', () => {
  it.each([
    ['users', userUrn, user],
    ['groups', groupUrn, group],
  ])('declare all attributes of %s', (_, urn, resource) => {
    const { attributes } = schemas(base).find(({ id }) => id === urn)!;
    expect(undeclared(resource, attributes as readonly Attribute[])).toEqual([]);
  });
});
