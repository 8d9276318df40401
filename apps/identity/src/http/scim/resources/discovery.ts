import { described, reference } from './attribute.ts';
import { groupUrn } from './group-resource.ts';
import { MOST_RESULTS } from '../requests/list-query.ts';
import { userAttributes } from './user-attributes.ts';
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
