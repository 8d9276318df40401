import { ABSENT, CACHE_HEADER, ENTITY_TAGS, SESSION_HEADER } from '@parlance/http';
import type { DeclaredRefusal } from './answers.ts';
import type { JsonSchema } from './json-schema.ts';

const IF_MATCH = {
  description: 'ETag of the version that was read. The request fails with 412 if the resource has changed since.',
  schema: { type: 'string', pattern: ENTITY_TAGS, example: '*' },
};

const IF_NONE_MATCH = {
  description: 'The request only creates. It fails with 412 if the resource exists.',
  schema: { type: 'string', enum: [ABSENT] },
};

/** The schemas of headers that routes read. */
export const REQUEST_HEADERS: Readonly<Record<string, JsonSchema>> = {
  'if-match': IF_MATCH,
  'if-none-match': IF_NONE_MATCH,
  [SESSION_HEADER]: {
    description: 'For browsers: return the refresh token in an HttpOnly cookie instead of the body.',
    schema: { type: 'string', enum: ['cookie'] },
  },
  [CACHE_HEADER]: {
    description:
      'How long the answer may be cached, and taken from the cache, in seconds: `ttl=600`. At most 3,600; 0 for not at all. Without it, the term `cache_ttl_seconds` of the token counts.',
    schema: { type: 'string', pattern: '^ttl=[0-9]{1,6}$', example: 'ttl=600' },
  },
};

/** Refusals of routes that read a header. For `If-None-Match`, a route declares its own 412, whose code names the existing resource. */
export const REFUSALS_OF_HEADERS: Readonly<Record<string, readonly DeclaredRefusal[]>> = {
  'if-match': [
    { code: 'invalid_if_match', status: 400 },
    { code: 'version_stale', status: 412 },
  ],
  'if-none-match': [{ code: 'invalid_if_none_match', status: 400 }],
};
