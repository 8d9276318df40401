import { describe, expect, it } from '@jest/globals';
import { anthropicErrorForm } from './anthropic-error-form.ts';

describe("an error in Anthropic's form", () => {
  it.each([
    [400, 'invalid_request_error'],
    [401, 'authentication_error'],
    [403, 'permission_error'],
    [404, 'not_found_error'],
    [409, 'invalid_request_error'],
    [413, 'request_too_large'],
    [429, 'rate_limit_error'],
    [500, 'api_error'],
    [503, 'overloaded_error'],
  ])('of status %d has the type %s', (status, type) => {
    const problem = { status, code: 'some_code', detail: 'It is wrong.', request_id: 'r' } as Parameters<typeof anthropicErrorForm.of>[0];
    expect(anthropicErrorForm.of(problem)).toEqual({
      type: 'error',
      error: { type, message: 'It is wrong.', code: 'some_code' },
      request_id: 'r',
    });
  });
});
