import { type IdentityUnderTest, identityUnderTest } from '../people.ts';

export const patchUrn = 'urn:ietf:params:scim:api:messages:2.0:PatchOp';
export const userUrn = 'urn:ietf:params:scim:schemas:core:2.0:User';
export const groupUrn = 'urn:ietf:params:scim:schemas:core:2.0:Group';

type Method = 'get' | 'post' | 'put' | 'patch' | 'delete';

/** An identity provider: sends requests with its SCIM token. */
export interface ScimClient {
  readonly token: string;
  ask(method: Method, path: string, body?: object, headers?: Record<string, string>): ReturnType<IdentityUnderTest['ask']>;
  operations(path: string, ...Operations: object[]): ReturnType<IdentityUnderTest['ask']>;
  /** The resources that match a filter. */
  find(resource: 'Users' | 'Groups', filter: string, more?: string): ReturnType<IdentityUnderTest['ask']>;
}

export async function scimUnderTest(
  settings: Readonly<Record<string, string>> = {},
): Promise<{ identity: IdentityUnderTest; scim: ScimClient; tokenId: string }> {
  const identity = await identityUnderTest(settings);
  const { body } = await identity.ask('post', '/admin/scim-tokens', identity.admin, { description: 'The directory' });
  return { identity, scim: scimClient(identity, body.token), tokenId: body.token_id };
}

export function scimClient(identity: IdentityUnderTest, token: string): ScimClient {
  const ask: ScimClient['ask'] = (method, path, body, headers = {}) =>
    identity.ask(method, `/scim/v2${path}`, null, body, {
      authorization: `Bearer ${token}`,
      ...(body && { 'content-type': 'application/scim+json' }),
      ...headers,
    });
  return {
    token,
    ask,
    operations: (path, ...Operations) => ask('patch', path, { schemas: [patchUrn], Operations }),
    find: (resource, filter, more = '') => ask('get', `/${resource}?filter=${encodeURIComponent(filter)}${more}`),
  };
}
