import { applyDecorators, Controller, HttpCode, Post } from '@nestjs/common';
import { BodyLimit, LongAnswer, openAiErrorForm, RefusesAs, SignedIn, TakesBytes } from '@parlance/http';
import { Answers, component, Refuses, Summary, Takes } from '@parlance/openapi';
import { MAX_REQUEST_BYTES } from '../bodies/message-body.ts';

/** A request in the format of a provider. Only these fields are read here. */
export const CALL_REQUEST = component('ModelCallRequest', {
  type: 'object',
  required: ['model'],
  properties: {
    model: { type: 'string', minLength: 1, maxLength: 200, description: 'ID of a model. See GET /v1/models.' },
    stream: { type: ['boolean', 'null'], description: 'Whether the answer is sent as server-sent events.' },
  },
  additionalProperties: true,
});

/** A form with a file. Only the model is read here. */
export const FORM_REQUEST = component('ModelCallForm', {
  type: 'object',
  required: ['model', 'file'],
  properties: {
    model: { type: 'string', minLength: 1, maxLength: 200, description: 'ID of a model. See GET /v1/models.' },
    file: { type: 'string', format: 'binary' },
  },
  additionalProperties: true,
});

/** The answers and refusals of a call. */
export const AnswersCalls = (): MethodDecorator =>
  applyDecorators(
    Answers(
      200,
      { type: 'object', additionalProperties: true },
      { description: 'The answer of the provider, or with `stream` its events.' },
    ),
    Answers(200, { type: 'string' }, { mediaType: 'text/event-stream' }),
    RefusesCalls(),
  );

export const RefusesCalls = (): MethodDecorator =>
  applyDecorators(
    Refuses('unsupported_parameter', 400),
    Refuses('guardrail_blocked', 400),
    Refuses('too_many_texts', 400),
    Refuses('invalid_cache', 400),
    Refuses('models_token_needed', 403),
    Refuses('model_not_found', 404),
    Refuses('rate_limit_exceeded', 429),
    Refuses('too_many_parallel_requests', 429),
    Refuses('budget_exceeded', 429),
    Refuses('busy', 503),
    Refuses('provider_unavailable', 503),
    Refuses('recorded_not_visible', 503),
  );

/** Routes for programs with a token, which refuse in the form of an API. */
export const ModelApi = (path: string, form: typeof openAiErrorForm = openAiErrorForm): ClassDecorator =>
  applyDecorators(Controller(path), SignedIn(), RefusesAs(form));

/** A route that passes a JSON body on to a model. */
export const CallsModel = (path: string, summary: string, answers = AnswersCalls()): MethodDecorator =>
  applyDecorators(
    Post(path),
    HttpCode(200),
    TakesBytes('application/json'),
    BodyLimit(MAX_REQUEST_BYTES),
    LongAnswer(),
    Summary(summary),
    Takes(CALL_REQUEST),
    answers,
  );
