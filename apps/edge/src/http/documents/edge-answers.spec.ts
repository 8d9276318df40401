import { describe, expect, it } from '@jest/globals';
import type { OpenApiDocument } from '@parlance/openapi';
import { withEdgeAnswers } from './edge-answers.ts';

const codes = (...names: string[]) => ({
  content: {
    'application/problem+json': {
      schema: { allOf: [{ $ref: '#/components/schemas/Problem' }, { properties: { code: { enum: names } } }] },
    },
  },
});
const document = (paths: object) => ({ openapi: '3.1.0', info: {}, paths, components: { schemas: {} } }) as unknown as OpenApiDocument;
const own = {
  '/docs': { get: { operationId: 'docs', security: [], responses: { 200: {} } } },
  '/own.json': { get: { operationId: 'own', security: [], responses: { 200: {}, 503: codes('service_unavailable') } } },
};
const paths = withEdgeAnswers(
  document({
    ...own,
    '/bot': {
      post: {
        operationId: 'create',
        security: [{ bearer: [] }],
        parameters: [{ name: 'a' }],
        requestBody: { content: { 'application/json': {} } },
        responses: { 201: {}, 409: codes('bot_id_taken') },
      },
      get: { operationId: 'list', security: [{ bearer: [] }], responses: { 200: {}, 403: codes('group_required') } },
    },
    '/auth/sign-in': { post: { operationId: 'signIn', security: [], responses: { 200: {} } } },
  }),
  document(own),
).paths;

/** The refusals of an operation: the codes by status. */
function refusalsOf(path: string, method: string): Record<string, string[]> {
  const responses = paths[path]?.[method]?.['responses'] as Record<string, ReturnType<typeof codes>>;
  return Object.fromEntries(
    Object.entries(responses).flatMap(([status, { content }]) => {
      const problem = content?.['application/problem+json'].schema.allOf[1] as { properties: { code: { enum: string[] } } } | undefined;
      return problem ? [[status, problem.properties.code.enum]] : [];
    }),
  );
}

describe('the document of the product', () => {
  it("lists the idempotency key among the parameters of a service's creating routes", () => {
    expect(paths['/bot']?.['post']?.['parameters']).toMatchObject([{ name: 'a' }, { name: 'Idempotency-Key', in: 'header' }]);
    expect(paths['/auth/sign-in']?.['post']?.['parameters']).toBeUndefined();
  });
  it("has the edge's refusals in addition to the service's own", () => {
    expect(refusalsOf('/bot', 'post')).toEqual({
      400: ['invalid_idempotency_key'],
      401: ['invalid_token'],
      403: ['address_not_allowed', 'password_change_required', 'second_factor_missing'],
      409: ['bot_id_taken', 'idempotency_key_reused'],
      413: ['body_too_large'],
      429: ['too_many_requests'],
      503: ['busy', 'outcome_unknown', 'service_unavailable'],
    });
    expect(refusalsOf('/bot', 'get')).toEqual({
      401: ['invalid_token'],
      403: ['address_not_allowed', 'group_required', 'password_change_required', 'second_factor_missing'],
      429: ['too_many_requests'],
      503: ['service_unavailable'],
    });
  });
  it('has the refusals of signing in', () =>
    expect(refusalsOf('/auth/sign-in', 'post')).toEqual({
      403: ['address_not_allowed'],
      429: ['too_many_requests'],
      503: ['outcome_unknown', 'service_unavailable'],
    }));
  it("has no refusals for the edge's own routes that cannot be refused", () =>
    expect(refusalsOf('/docs', 'get')).toEqual({ 403: ['address_not_allowed'], 429: ['too_many_requests'] }));
  it('declares when to try again', () => {
    const responses = (paths['/auth/sign-in']?.['post']?.['responses'] ?? {}) as Record<number, object>;
    const { 503: unavailable, 429: limited } = responses;
    for (const answer of [unavailable, limited]) expect(answer).toHaveProperty(['headers', 'retry-after']);
  });
  it('declares when to try again even if a route declares the refusal itself', () =>
    expect(paths['/own.json']?.['get']?.['responses']).toMatchObject({ 503: { headers: { 'retry-after': expect.anything() } } }));
});
