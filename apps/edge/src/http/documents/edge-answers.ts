import { STATUS_CODES } from 'node:http';
import type { OpenApiDocument } from '@parlance/openapi';
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
  /** Needs an access token. */
  readonly secured: boolean;
  /** Forwarded to a service. */
  readonly passed: boolean;
}

/** The edge's own refusals. */
const REFUSALS: readonly EdgeRefusal[] = [
  { code: 'invalid_idempotency_key', status: 400, where: ({ creates }) => creates },
  { code: 'idempotency_key_reused', status: 409, where: ({ creates }) => creates },
  { code: 'invalid_token', status: 401, where: ({ secured }) => secured },
  { code: 'password_change_required', status: 403, where: ({ secured }) => secured },
  { code: 'address_not_allowed', status: 403, where: () => true },
  { code: 'body_too_large', status: 413, where: ({ takesBody }) => takesBody },
  { code: 'too_many_requests', status: 429, where: ({ path }) => !isProbe(path) && !path.startsWith('/published/') },
  { code: 'busy', status: 503, where: ({ takesBody, passed }) => takesBody && passed },
  { code: 'service_unavailable', status: 503, where: ({ passed }) => passed },
];

const IDEMPOTENCY_KEY = {
  name: 'Idempotency-Key',
  in: 'header',
  description:
    'Idempotency key: 1 to 255 visible ASCII characters. Within 24 hours, a repeated request with the same key is executed once and gets the first answer.',
  schema: { type: 'string', minLength: 1, maxLength: 255, pattern: '^[!-~]+$' },
};

const RETRY_AFTER = { 'retry-after': { description: 'Seconds to wait before retrying.', schema: { type: 'integer', minimum: 1 } } };

/** Adds to each operation the header `Idempotency-Key` and the edge's own refusals. */
export function withEdgeAnswers(document: OpenApiDocument, own: OpenApiDocument): OpenApiDocument {
  const paths: Record<string, OpenApiDocument['paths'][string]> = {};
  for (const [path, operations] of Object.entries(document.paths)) {
    paths[path] = Object.fromEntries(
      Object.entries(operations).map(([method, operation]) => {
        const { parameters = [], responses = {}, security } = operation;
        const creates = isCreating(method, operation);
        const secured = Array.isArray(security) && security.some((each) => Object.hasOwn(each as object, 'bearer'));
        const takesBody = operation['requestBody'] !== undefined;
        const where: Where = { path, creates, takesBody, secured, passed: own.paths[path]?.[method] === undefined };
        const all = REFUSALS.filter((refusal) => refusal.where(where));
        return [
          method,
          {
            ...operation,
            ...(creates && { parameters: [...(parameters as Schema[]), IDEMPOTENCY_KEY] }),
            responses: all.reduce<Schema>(withRefusal, responses as Schema),
          },
        ];
      }),
    );
  }
  return { ...document, paths };
}

interface Answer extends Schema {
  readonly headers?: Schema;
  readonly content?: { readonly [mediaType: string]: { readonly schema?: { readonly allOf?: readonly Schema[] } } };
}

/** In the form of the services' refusals: the problem, and its codes for this status. */
function withRefusal(responses: Schema, { code, status }: EdgeRefusal): Schema {
  const answer = responses[status] as Answer | undefined;
  const before = answer?.content?.['application/problem+json']?.schema?.allOf?.[1] as
    { properties: { code: { enum: readonly string[] } } } | undefined;
  const codes = [...new Set([...(before?.properties.code.enum ?? []), code])].sort();
  const schema = { allOf: [{ $ref: '#/components/schemas/Problem' }, { properties: { code: { enum: codes } } }] };
  return {
    ...responses,
    [status]: {
      description: STATUS_CODES[status] ?? 'Refusal',
      ...answer,
      ...((status === 429 || status === 503) && { headers: { ...answer?.headers, ...RETRY_AFTER } }),
      content: { ...answer?.content, 'application/problem+json': { schema } },
    },
  };
}
