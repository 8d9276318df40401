import { STATUS_CODES } from 'node:http';
import type { RefusalForm } from '@parlance/http';
import { NO_TOKENS, type OpenApiDocument } from '@parlance/openapi';
import { refusalFormAt } from '../answers/refusal-forms.ts';
import { isOpenAiStyle } from '../published/published-address.ts';
import { API_KEY_SCHEMES, securityOf } from '../published/published-document.ts';
import { isCreating } from '../routing/operation.ts';
import { isProbe } from '../routing/published-apis.ts';
import type { Schema } from '../routing/schema-shapes.ts';

interface EdgeRefusal {
  readonly code: string;
  readonly status: number;
  readonly where: (operation: Where) => boolean;
}

interface Where {
  readonly path: string;
  readonly creates: boolean;
  readonly takesBody: boolean;
  /** Routes that need an access token. */
  readonly secured: boolean;
  /** Refusals of personal access tokens; null for routes that take no access token. */
  readonly scope: unknown;
  /** Routes that are forwarded to a service. */
  readonly passed: boolean;
  /** Routes of published bots. */
  readonly published: boolean;
  /** Routes that need an API key. */
  readonly keyed: boolean;
  /** Routes of published bots in the form of OpenAI. */
  readonly isOpenAi: boolean;
  /** Requests that count towards the key's quota. */
  readonly startsWork: boolean;
  /** Requests that may have an effect. */
  readonly changes: boolean;
}

/** The edge's own refusals. */
const REFUSALS: readonly EdgeRefusal[] = [
  { code: 'invalid_idempotency_key', status: 400, where: ({ creates }) => creates },
  { code: 'idempotency_key_reused', status: 409, where: ({ creates }) => creates },
  { code: 'invalid_token', status: 401, where: ({ secured }) => secured },
  { code: 'password_change_required', status: 403, where: ({ secured }) => secured },
  { code: 'scope_missing', status: 403, where: ({ scope }) => scope !== null && scope !== NO_TOKENS },
  { code: 'token_not_allowed', status: 403, where: ({ scope }) => scope === NO_TOKENS },
  { code: 'second_factor_missing', status: 403, where: ({ secured }) => secured },
  { code: 'address_not_allowed', status: 403, where: () => true },
  { code: 'body_too_large', status: 413, where: ({ takesBody }) => takesBody },
  { code: 'invalid_api_key', status: 401, where: ({ keyed, isOpenAi }) => keyed && isOpenAi },
  { code: 'invalid_api_key', status: 403, where: ({ keyed, isOpenAi }) => keyed && !isOpenAi },
  { code: 'not_published', status: 404, where: ({ published }) => published },
  { code: 'too_many_requests', status: 429, where: ({ path }) => !isProbe(path) },
  { code: 'throttled', status: 429, where: ({ keyed }) => keyed },
  { code: 'quota_exceeded', status: 429, where: ({ startsWork }) => startsWork },
  { code: 'busy', status: 503, where: ({ takesBody, passed }) => takesBody && passed },
  { code: 'service_unavailable', status: 503, where: ({ passed, published }) => passed || published },
  { code: 'outcome_unknown', status: 503, where: ({ passed, changes }) => passed && changes },
];

const IDEMPOTENCY_KEY = {
  name: 'Idempotency-Key',
  in: 'header',
  description:
    'Idempotency key: 1 to 255 visible ASCII characters. Within 24 hours, a repeated request with the same key is executed once and gets the first answer.',
  schema: { type: 'string', minLength: 1, maxLength: 255, pattern: '^[!-~]+$' },
};

const RETRY_AFTER = { 'retry-after': { description: 'Seconds to wait before retrying.', schema: { type: 'integer', minimum: 1 } } };

const number = (description: string) => ({ description, schema: { type: 'integer' } });
const RATE_LIMIT = {
  'x-ratelimit-limit': number("The key's limit of requests: its quota, or its throttle if it has no quota."),
  'x-ratelimit-remaining': number('Requests left.'),
  'x-ratelimit-reset': number('When the full limit is available again, in epoch seconds.'),
};

/** Adds to each operation the header `Idempotency-Key` and the edge's own refusals. */
export function withEdgeAnswers(document: OpenApiDocument, own: OpenApiDocument): OpenApiDocument {
  const paths: Record<string, OpenApiDocument['paths'][string]> = {};
  for (const [path, operations] of Object.entries(document.paths)) {
    paths[path] = Object.fromEntries(
      Object.entries(operations).map(([method, operation]) => {
        const { parameters = [], responses = {}, security, 'x-token-scope': scope = null } = operation;
        const creates = isCreating(method, operation);
        const secured = Array.isArray(security) && security.some((each) => Object.hasOwn(each as object, 'bearer'));
        const takesBody = operation['requestBody'] !== undefined;
        const published = isPublished(path);
        const below = published ? path.replace(PUBLISHED, '') : '';
        const keyed = published && Array.isArray(security) && security.length > 0;
        const passed = own.paths[path]?.[method] === undefined;
        const changes = method !== 'get';
        const startsWork = keyed && method === 'post';
        const where: Where = {
          path,
          creates,
          takesBody,
          secured,
          scope,
          passed,
          published,
          keyed,
          startsWork,
          changes,
          isOpenAi: isOpenAiStyle(below),
        };
        const all = REFUSALS.filter((refusal) => refusal.where(where));
        const complete = all.reduce<Schema>((answers, refusal) => withRefusal(answers, refusal, refusalFormAt(path)), responses as Schema);
        return [
          method,
          {
            ...operation,
            ...(creates && { parameters: [...(parameters as Schema[]), IDEMPOTENCY_KEY] }),
            ...(keyed && { security: securityOf(below) }),
            responses: withRetryAfter(keyed ? withRateLimit(complete) : complete),
          },
        ];
      }),
    );
  }
  const hasPublished = Object.keys(paths).some(isPublished);
  const { schemas, securitySchemes } = document.components;
  const components = { schemas, securitySchemes: { ...securitySchemes, ...(hasPublished && API_KEY_SCHEMES) } };
  return { ...document, paths, components };
}

const PUBLISHED = /^\/published\/[^/]+\/[^/]+/;
const isPublished = (path: string): boolean => PUBLISHED.test(path);

/** All refusals with 429 and 503 declare when to retry, including those of services. */
function withRetryAfter(responses: Schema): Schema {
  return Object.fromEntries(
    Object.entries(responses as Record<string, Answer>).map(([status, answer]) => [
      status,
      status === '429' || status === '503' ? { ...answer, headers: { ...answer.headers, ...RETRY_AFTER } } : answer,
    ]),
  );
}

/** The answers of a route with an API key. Those after the check of the key have the rate limit headers. */
function withRateLimit(responses: Schema): Schema {
  const isBefore = (status: string) => status === '403' || status === '404' || status === 'default';
  return Object.fromEntries(
    Object.entries(responses as Record<string, Answer>).map(([status, answer]) => [
      status,
      isBefore(status) ? answer : { ...answer, headers: { ...answer.headers, ...RATE_LIMIT } },
    ]),
  );
}

interface Answer extends Schema {
  readonly headers?: Schema;
  readonly content?: { readonly [mediaType: string]: { readonly schema?: { readonly allOf?: readonly Schema[] } } };
}

/** Adds a refusal in the form that services use: the problem with its codes for this status, or the form that the path's standard defines. */
function withRefusal(responses: Schema, { code, status }: EdgeRefusal, form: RefusalForm | null): Schema {
  const answer = responses[status] as Answer | undefined;
  const description = STATUS_CODES[status] ?? 'Refusal';
  if (form) return { ...responses, [status]: { description, ...answer, content: { [form.mediaType]: { schema: form.schema } } } };
  const before = answer?.content?.['application/problem+json']?.schema?.allOf?.[1] as
    | { properties: { code: { enum: readonly string[] } } }
    | undefined;
  const codes = [...new Set([...(before?.properties.code.enum ?? []), code])].sort();
  const schema = { allOf: [{ $ref: '#/components/schemas/Problem' }, { properties: { code: { enum: codes } } }] };
  return {
    ...responses,
    [status]: {
      description,
      ...answer,
      content: { ...answer?.content, 'application/problem+json': { schema } },
    },
  };
}
