import { ENTITY_TAGS, SESSION_HEADER } from '@parlance/http';
import type { JsonSchema } from './json-schema.ts';

const IF_MATCH = {
  description: 'ETag of the version that was read. The request fails with 412 if the resource has changed since.',
  schema: { type: 'string', pattern: ENTITY_TAGS, example: '*' },
};

/** What the document says of headers that routes read. */
export const REQUEST_HEADERS: Readonly<Record<string, JsonSchema>> = {
  'if-match': IF_MATCH,
  [SESSION_HEADER]: {
    description: 'For browsers: return the refresh token in an HttpOnly cookie instead of the body.',
    schema: { type: 'string', enum: ['cookie'] },
  },
};
