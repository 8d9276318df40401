import type { Problem, Remedies } from './problem.ts';
import { remediesIn, remediesSchema, type RefusalForm } from './refusal-form.ts';

const text = { type: 'string' } as const;
const textOrNull = { type: ['string', 'null'] } as const;

/** Codes of requests that a budget or quota does not allow. OpenAI clients do not expect these to succeed soon. */
const USED_UP: ReadonlySet<string> = new Set(['budget_exceeded', 'quota_exceeded']);

/** Fields that codes refer to, for refusals that name no field. */
const FIELD_OF_CODE: Readonly<Record<string, string>> = { model_not_found: 'model', previous_response_not_found: 'previous_response_id' };

/** The form of refusals on the routes below `/v1/` of published bots, as OpenAI clients expect it. */
export const openAiErrorForm: RefusalForm = {
  mediaType: 'application/json',
  schema: {
    type: 'object',
    required: ['error'],
    properties: {
      error: {
        type: 'object',
        required: ['message', 'type', 'param', 'code'],
        properties: {
          message: { ...text, description: 'What is wrong, and what to do.' },
          type: {
            enum: ['invalid_request_error', 'authentication_error', 'rate_limit_error', 'insufficient_quota', 'server_error'],
          },
          param: { ...textOrNull, description: 'The field that is wrong; null if the error is about no field.' },
          code: { ...textOrNull, description: 'The code of the refusal, as on the other routes.' },
          request_id: { ...text, description: 'The ID of the request, as in its `x-request-id`.' },
          ...remediesSchema,
        },
      },
    },
  },
  of: (problem) => openAiError(problem),
};

/** The body of an error. */
export function openAiError(problem: Pick<Problem, 'status' | 'code' | 'detail' | 'errors' | 'request_id' | keyof Remedies>) {
  const { status, code, detail, errors, request_id } = problem;
  const param = errors?.[0]?.path ?? FIELD_OF_CODE[code] ?? '';
  return {
    error: {
      message: detail,
      type: typeOf(status, code),
      param: param === '' ? null : param,
      code,
      ...(request_id && { request_id }),
      ...remediesIn(problem),
    },
  };
}

function typeOf(status: number, code: string): string {
  if (status === 429) return USED_UP.has(code) ? 'insufficient_quota' : 'rate_limit_error';
  if (status >= 500) return 'server_error';
  return status === 401 || code === 'invalid_api_key' ? 'authentication_error' : 'invalid_request_error';
}
