import type { Problem } from './problem.ts';
import { remediesIn, remediesSchema, type RefusalForm } from './refusal-form.ts';

const text = { type: 'string' } as const;

/** The form of refusals that Anthropic clients expect. */
export const anthropicErrorForm: RefusalForm = {
  mediaType: 'application/json',
  schema: {
    type: 'object',
    required: ['type', 'error', 'request_id'],
    properties: {
      type: { const: 'error' },
      error: {
        type: 'object',
        required: ['type', 'message', 'code'],
        properties: {
          type: {
            enum: [
              'invalid_request_error',
              'authentication_error',
              'permission_error',
              'not_found_error',
              'request_too_large',
              'rate_limit_error',
              'overloaded_error',
              'api_error',
            ],
          },
          message: { ...text, description: 'What is wrong, and what to do.' },
          code: { ...text, description: 'The code of the refusal, as on the other routes.' },
          ...remediesSchema,
        },
      },
      request_id: { type: ['string', 'null'] },
    },
  },
  of: (problem) => ({
    type: 'error',
    error: { type: typeOf(problem.status), message: problem.detail, code: problem.code, ...remediesIn(problem) },
    request_id: problem.request_id ?? null,
  }),
};

const TYPES: Readonly<Record<number, string>> = {
  401: 'authentication_error',
  403: 'permission_error',
  404: 'not_found_error',
  413: 'request_too_large',
  429: 'rate_limit_error',
  503: 'overloaded_error',
};

const typeOf = (status: Problem['status']): string => TYPES[status] ?? (status >= 500 ? 'api_error' : 'invalid_request_error');
