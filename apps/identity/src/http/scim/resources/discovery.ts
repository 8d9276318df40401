import { groupUrn } from './group-resource.ts';
import { MOST_RESULTS } from '../requests/list-query.ts';
import { userUrn } from './user-resource.ts';

/** What this provider can do, as RFC 7643, 5 has it. */
export const serviceProviderConfig = (base: string) => ({
  schemas: ['urn:ietf:params:scim:schemas:core:2.0:ServiceProviderConfig'],
  patch: { supported: true },
  bulk: { supported: false, maxOperations: 0, maxPayloadSize: 0 },
  filter: { supported: true, maxResults: MOST_RESULTS },
  changePassword: { supported: true },
  sort: { supported: false },
  etag: { supported: true },
  authenticationSchemes: [
    {
      type: 'oauthbearertoken',
      name: 'Bearer token',
      description: 'A token that an administrator has made: POST /admin/scim-tokens',
      specUri: 'https://www.rfc-editor.org/rfc/rfc6750',
      primary: true,
    },
  ],
  meta: { resourceType: 'ServiceProviderConfig', location: `${base}/ServiceProviderConfig` },
});

const resourceType = (name: string, schema: string, base: string) => ({
  schemas: ['urn:ietf:params:scim:schemas:core:2.0:ResourceType'],
  id: name,
  name,
  endpoint: `/${name}s`,
  schema,
  meta: { resourceType: 'ResourceType', location: `${base}/ResourceTypes/${name}` },
});

export const resourceTypes = (base: string) => [resourceType('User', userUrn, base), resourceType('Group', groupUrn, base)];

type Traits = Readonly<Partial<Record<'multiValued' | 'required' | 'caseExact', boolean>>> & {
  readonly type?: 'string' | 'boolean' | 'complex' | 'reference';
  readonly mutability?: 'readWrite' | 'readOnly' | 'immutable' | 'writeOnly';
  readonly returned?: 'default' | 'never';
  readonly uniqueness?: 'none' | 'server';
  readonly subAttributes?: readonly object[];
};

/** An attribute as RFC 7643, 7 describes it, each trait said. */
const described = (name: string, description: string, traits: Traits = {}) => ({
  name,
  type: 'string',
  multiValued: false,
  description,
  required: false,
  caseExact: false,
  mutability: 'readWrite',
  returned: 'default',
  uniqueness: 'none',
  ...traits,
});

const userAttributes = [
  described('userName', 'The e-mail address that the user signs in with.', { required: true, uniqueness: 'server' }),
  described('name', 'The name.', {
    type: 'complex',
    subAttributes: [
      described('givenName', 'First name.'),
      described('familyName', 'Last name.'),
      described('formatted', 'Both; taken for the name of a new user of whom no other is sent.', { mutability: 'readOnly' }),
    ],
  }),
  described('displayName', 'First and last name; taken for the name of a new user of whom no other is sent.', { mutability: 'readOnly' }),
  described('active', 'Whether the user can sign in.', { type: 'boolean' }),
  described('emails', 'The address once more; taken where userName is none.', {
    type: 'complex',
    multiValued: true,
    subAttributes: [
      described('value', 'The address.'),
      described('type', 'Always work.'),
      described('primary', 'Always true.', { type: 'boolean' }),
    ],
  }),
  described('externalId', 'What the client calls the user.', { caseExact: true }),
  described('password', 'To be changed at the next sign-in.', { mutability: 'writeOnly', returned: 'never' }),
  described('groups', 'The groups of the user, which are changed at /Groups.', {
    type: 'complex',
    multiValued: true,
    mutability: 'readOnly',
    subAttributes: [
      described('value', 'The name of the group, which is its id.', { mutability: 'readOnly' }),
      described('display', 'The name of the group.', { mutability: 'readOnly' }),
    ],
  }),
];

const groupAttributes = [
  described('displayName', 'The name, which is the id: it cannot be changed.', {
    required: true,
    mutability: 'immutable',
    uniqueness: 'server',
  }),
  described('members', 'Users; a group has no groups in it.', {
    type: 'complex',
    multiValued: true,
    subAttributes: [
      described('value', 'The id of the user.', { mutability: 'immutable', caseExact: true }),
      described('display', 'The name of the user.', { mutability: 'readOnly' }),
    ],
  }),
];

const schema = (id: string, name: string, attributes: readonly object[], base: string) => ({
  schemas: ['urn:ietf:params:scim:schemas:core:2.0:Schema'],
  id,
  name,
  description: name,
  attributes,
  meta: { resourceType: 'Schema', location: `${base}/Schemas/${id}` },
});

export const schemas = (base: string) => [schema(userUrn, 'User', userAttributes, base), schema(groupUrn, 'Group', groupAttributes, base)];
