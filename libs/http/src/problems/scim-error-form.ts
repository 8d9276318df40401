import type { RefusalForm } from './refusal-form.ts';

export const scimMediaType = 'application/scim+json';

const errorUrn = 'urn:ietf:params:scim:api:messages:2.0:Error';

/** The `scimType` (RFC 7644, table 9) by code of the refusal. */
const scimTypes: Readonly<Record<string, string>> = {
  email_taken: 'uniqueness',
  group_exists: 'uniqueness',
  malformed_body: 'invalidSyntax',
  invalid_body: 'invalidSyntax',
  invalid_query: 'invalidValue',
  invalid_value: 'invalidValue',
  member_unknown: 'invalidValue',
  invalid_if_match: 'invalidValue',
  invalid_filter: 'invalidFilter',
  invalid_path: 'invalidPath',
  no_target: 'noTarget',
  read_only: 'mutability',
};

/** The form of all refusals on SCIM's routes. SCIM's `status` is a string. */
export const scimErrorForm: RefusalForm = {
  mediaType: scimMediaType,
  schema: {
    type: 'object',
    required: ['schemas', 'status', 'detail'],
    properties: {
      schemas: { type: 'array', items: { const: errorUrn } },
      status: { type: 'string' },
      scimType: { enum: [...new Set(Object.values(scimTypes))] },
      detail: { type: 'string' },
    },
  },
  of: ({ status, code, detail }) => ({
    schemas: [errorUrn],
    status: String(status),
    ...(scimTypes[code] !== undefined && { scimType: scimTypes[code] }),
    detail,
  }),
};
