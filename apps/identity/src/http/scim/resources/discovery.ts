import { groupUrn } from './group-resource.ts';
import { MOST_RESULTS } from '../requests/list-query.ts';
import { userUrn } from './user-resource.ts';

/** What this server supports, in the format of RFC 7643, 5. */
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
      description: 'SCIM token that an administrator created with POST /admin/scim-tokens.',
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
  readonly canonicalValues?: readonly string[];
  readonly referenceTypes?: readonly string[];
  readonly subAttributes?: readonly object[];
};

/** An attribute with all characteristics of RFC 7643, 7. */
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

/** The sub-attributes that refer to the other resource. */
const reference = (type: string, resource: string) => [
  described('type', `Always ${type}.`, { mutability: 'readOnly', canonicalValues: [type] }),
  described('$ref', `Address of the ${resource.toLowerCase()}.`, {
    type: 'reference',
    mutability: 'readOnly',
    caseExact: true,
    referenceTypes: [resource],
  }),
];

const userAttributes = [
  described('userName', 'E-mail address for signing in.', { required: true, uniqueness: 'server' }),
  described('name', 'Name.', {
    type: 'complex',
    subAttributes: [
      described('givenName', 'First name.'),
      described('familyName', 'Last name.'),
      described('formatted', 'Full name. Used for a new user without other name fields.', { mutability: 'readOnly' }),
    ],
  }),
  described('displayName', 'Full name. Used for a new user without other name fields.', { mutability: 'readOnly' }),
  described('active', 'Whether the user can sign in.', { type: 'boolean' }),
  described('emails', 'E-mail addresses. Used if userName is not an e-mail address.', {
    type: 'complex',
    multiValued: true,
    subAttributes: [
      described('value', 'E-mail address.'),
      described('type', 'Always work.'),
      described('primary', 'Always true.', { type: 'boolean' }),
    ],
  }),
  described('externalId', 'User ID of the SCIM client.', { caseExact: true }),
  described('password', 'Password. It must be changed at the next sign-in.', { mutability: 'writeOnly', returned: 'never' }),
  described('groups', 'Groups of the user. Changed at /Groups.', {
    type: 'complex',
    multiValued: true,
    mutability: 'readOnly',
    subAttributes: [
      described('value', 'Group name, which is also the group ID.', { mutability: 'readOnly' }),
      described('display', 'Group name.', { mutability: 'readOnly' }),
      ...reference('direct', 'Group'),
    ],
  }),
];

const groupAttributes = [
  described('displayName', 'Group name, which is also the group ID. It cannot be changed.', {
    required: true,
    mutability: 'immutable',
    uniqueness: 'server',
  }),
  described('members', 'Member users. Groups cannot contain groups.', {
    type: 'complex',
    multiValued: true,
    subAttributes: [
      described('value', 'User ID.', { mutability: 'immutable', caseExact: true }),
      described('display', 'Name of the user.', { mutability: 'readOnly' }),
      ...reference('User', 'User'),
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
