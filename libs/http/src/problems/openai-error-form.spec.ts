import { describe, expect, it } from '@jest/globals';
import { anthropicErrorForm } from './anthropic-error-form.ts';
import { openAiError, openAiErrorForm } from './openai-error-form.ts';

describe("an error in OpenAI's form", () => {
  const errorOf = (status: number, code: string, errors?: { path: string; message: string }[]) =>
    openAiError({ status, code, detail: 'It is wrong.', ...(errors && { errors }) }).error;

  it.each([
    [400, 'invalid_body', 'invalid_request_error'],
    [401, 'unauthenticated', 'authentication_error'],
    [403, 'invalid_api_key', 'authentication_error'],
    [403, 'address_not_allowed', 'invalid_request_error'],
    [404, 'model_not_found', 'invalid_request_error'],
    [409, 'reply_in_progress', 'invalid_request_error'],
    [429, 'throttled', 'rate_limit_error'],
    [429, 'too_many_requests', 'rate_limit_error'],
    [429, 'quota_exceeded', 'insufficient_quota'],
    [429, 'budget_exceeded', 'insufficient_quota'],
    [500, 'internal_error', 'server_error'],
    [503, 'busy', 'server_error'],
  ])('of status %d with the code %s has the type %s', (status, code, type) => {
    expect(errorOf(status, code)).toMatchObject({ type, code, message: 'It is wrong.' });
  });

  it('names the first wrong field, or the field that its code refers to', () => {
    expect(errorOf(400, 'invalid_body', [{ path: 'messages[0].role', message: 'is missing' }]).param).toBe('messages[0].role');
    expect(errorOf(404, 'model_not_found').param).toBe('model');
    expect(errorOf(400, 'malformed_body', [{ path: '', message: 'is no JSON' }]).param).toBeNull();
  });

  it('names the request', () => {
    const problem = { status: 503, code: 'busy', detail: 'It is busy.', request_id: 'r' } as Parameters<typeof openAiErrorForm.of>[0];
    expect(openAiErrorForm.of(problem)).toMatchObject({ error: { request_id: 'r' } });
  });
  it('says where to look for the effect, and how to repeat', () => {
    const remedies = { look_up: '/user/me/calls', repeat_with: 'k' };
    const problem = { status: 503, code: 'outcome_unknown', detail: 'It is not known.', ...remedies } as Parameters<
      typeof openAiErrorForm.of
    >[0];
    expect(openAiErrorForm.of(problem)).toMatchObject({ error: remedies });
    expect(anthropicErrorForm.of(problem)).toMatchObject({ error: remedies });
  });
  it('is plain JSON', () => {
    expect(openAiErrorForm.mediaType).toBe('application/json');
  });
});
