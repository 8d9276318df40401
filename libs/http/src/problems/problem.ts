import { STATUS_CODES } from 'node:http';
import { HttpException } from '@nestjs/common';
import { Refusal, type RefusalKind, type Sentence, UnknownEvent } from '@parlance/decider';
import { VersionConflict, WriteUnconfirmed } from '@parlance/event-store';
import { StoreUnavailable } from '@parlance/object-store';
import { ReadModelBuilding } from '@parlance/read-models';
import { unconfirmed } from './look-up.ts';
import { isTransient } from './transient.ts';

/** An error in one field of a request. `path` looks like `message.content[0].body`. */
export interface FieldError {
  readonly path: string;
  readonly message: string;
}

/** What the caller of a request without a certain effect can do. */
export interface Remedies {
  readonly look_up?: string;
  readonly repeat_with?: string;
}

/** The body of every error answer: RFC 9457, with a stable code. */
export interface Problem extends Remedies {
  readonly type: string;
  readonly title: string;
  readonly status: number;
  readonly detail: string;
  readonly code: string;
  readonly message: string;
  readonly request_id?: string;
  /** When a limit per period that is used up will be reset, in epoch seconds. */
  readonly resets_at?: number;
  /** The budget that is used up. */
  readonly budget?: Readonly<Record<string, unknown>>;
  /** Always present with status 400. */
  readonly errors?: readonly FieldError[];
}

export interface ProblemAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Problem;
  /** True for an unexpected error. It is logged with its stack, and the caller gets no details. */
  readonly unforeseen: boolean;
}

const STATUS_OF_KIND: Readonly<Record<RefusalKind, number>> = {
  invalid: 400,
  unauthenticated: 401,
  forbidden: 403,
  missing: 404,
  conflict: 409,
  stale: 412,
  too_large: 413,
  limited: 429,
  unavailable: 503,
};

/** The kind of refusal of a status, for answers of calls between services. */
export function kindOfStatus(status: number): RefusalKind {
  for (const [kind, its] of Object.entries(STATUS_OF_KIND)) if (its === status) return kind as RefusalKind;
  return status >= 500 ? 'unavailable' : 'invalid';
}

type Finding = readonly [status: number, code: string, detail: Sentence, facts?: Readonly<Record<string, unknown>>];

/** Errors that Fastify and Nest raise, by status. Their messages may contain parts of the request, so they are replaced. */
const BY_STATUS: Readonly<Record<number, Finding>> = {
  400: [400, 'malformed_request', 'The request is malformed.'],
  401: [401, 'unauthenticated', 'Authentication required.'],
  403: [403, 'forbidden', 'The caller does not have the right to do this.'],
  404: [404, 'no_such_route', 'Route not found.'],
  405: [405, 'method_not_allowed', 'This path does not accept this method. See the header Allow.'],
  408: [408, 'request_timeout', 'The request did not arrive in time.'],
  413: [413, 'body_too_large', 'The body is larger than this route accepts.'],
  414: [400, 'malformed_request', 'A part of the path is too long.'],
  415: [415, 'unsupported_media_type', 'This route does not accept a body with this content type, charset or encoding.'],
  417: [417, 'expectation_failed', 'The only supported expectation is 100-continue.'],
  429: [429, 'limited', 'There were too many requests. Wait before the next one.'],
  431: [431, 'headers_too_large', 'The headers are larger than the server accepts.'],
  503: [503, 'unavailable', 'The service cannot answer now. Try again later.', { retry_after: 5 }],
};

const MALFORMED_BODY: Finding = [400, 'malformed_body', 'The body is not JSON that this route accepts.'];
const NEWER_RELEASE: Finding = [
  503,
  'newer_release',
  'A newer release has changed this resource in a way that this replica does not know. Try again when the update is complete.',
  { retry_after: 30 },
];
const UNAVAILABLE: Finding = [503, 'dependency_unavailable', 'A dependency of this service is down. Try again later.', { retry_after: 5 }];
const NO_OBJECT_STORE: Finding = [
  503,
  'object_store_unavailable',
  'The object store for files does not answer. Try again in a moment.',
  { retry_after: 5 },
];
const INTERNAL: Finding = [500, 'internal_error', 'Something went wrong on our side.'];

const BY_CODE: Readonly<Record<string, Finding>> = {
  FST_ERR_CTP_INVALID_JSON_BODY: MALFORMED_BODY,
  FST_ERR_CTP_EMPTY_JSON_BODY: MALFORMED_BODY,
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: MALFORMED_BODY,
  // opossum's error codes for a breaker that is open, timed out, full or shut down.
  EOPENBREAKER: UNAVAILABLE,
  ETIMEDOUT: UNAVAILABLE,
  ESEMLOCKED: UNAVAILABLE,
  ESHUTDOWN: UNAVAILABLE,
};

/** Details that replace those of refusals from lower libraries, because those name internals. */
const OUR_WORDS: Readonly<Record<string, Sentence>> = {
  stream_busy: 'The resource is being changed by other requests. Try again.',
};

/** Maps each failure to its status. No other code does. */
export function problemOf(error: unknown, requestId?: string): ProblemAnswer {
  const [status, code, detail, facts = {}] = findingOf(error);
  return {
    status,
    headers: headersOf(status, code, facts),
    body: {
      type: `urn:parlance:problem:${code}`,
      title: STATUS_CODES[status] ?? 'Error',
      status,
      detail,
      code,
      message: detail,
      ...(requestId === undefined ? {} : { request_id: requestId }),
      ...(typeof facts['resets_at'] === 'number' ? { resets_at: facts['resets_at'] } : {}),
      ...(isObject(facts['budget']) ? { budget: facts['budget'] } : {}),
      ...(typeof facts['look_up'] === 'string' ? { look_up: facts['look_up'] } : {}),
      ...(typeof facts['repeat_with'] === 'string' ? { repeat_with: facts['repeat_with'] } : {}),
      ...(status === 400 ? { errors: errorsOf(facts, detail) } : {}),
    },
    unforeseen: status === 500,
  };
}

/** Every 400 answer has a list of errors, so that clients can handle all 400 answers alike. An error that is not about one field has an empty path. */
const errorsOf = ({ errors }: Readonly<Record<string, unknown>>, detail: string): readonly FieldError[] =>
  Array.isArray(errors) && errors.length > 0 ? (errors as FieldError[]) : [{ path: '', message: detail }];

function findingOf(error: unknown): Finding {
  if (error instanceof Refusal) return [STATUS_OF_KIND[error.kind], error.code, OUR_WORDS[error.code] ?? error.message, error.facts];
  if (error instanceof WriteUnconfirmed) return findingOf(unconfirmed(error));
  if (error instanceof VersionConflict)
    return [409, 'version_conflict', 'The resource was changed at the same moment. Read it again, then repeat the change.'];
  if (error instanceof ReadModelBuilding) return building(error);
  if (error instanceof UnknownEvent) return NEWER_RELEASE;
  if (error instanceof StoreUnavailable) return NO_OBJECT_STORE;
  // Nest wraps Fastify's errors below 500 and keeps them as the cause.
  const origin = error instanceof HttpException && error.cause instanceof Error ? error.cause : error;
  const code = property(origin, 'code');
  if (typeof code === 'string' && BY_CODE[code] !== undefined) return BY_CODE[code];
  if (isTransient(origin)) return UNAVAILABLE;
  const status = error instanceof HttpException ? error.getStatus() : property(error, 'statusCode');
  if (typeof status !== 'number' || (status >= 500 && status !== 503)) return INTERNAL;
  return BY_STATUS[status] ?? (status >= 400 ? BY_STATUS[400] : undefined) ?? INTERNAL;
}

function building({ projection, progress }: ReadModelBuilding): Finding {
  const detail: Sentence = `The read model ${projection} is being built (${Math.floor(progress * 100)} %). Try again shortly.`;
  return [503, 'read_model_building', detail, { retry_after: 2 }];
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> => typeof value === 'object' && value !== null;

const property = (of: unknown, name: string): unknown => (isObject(of) ? of[name] : undefined);

/** The refusals with 409 that end by themselves. */
const PASSING: ReadonlySet<string> = new Set(['reply_in_progress', 'refresh_in_progress', 'deployment_in_progress', 'version_conflict']);

/** Codes after which a repeat is useless or harmful: the request had its effect or may have had it, or a repeat would soon be refused again. */
const FINAL: ReadonlySet<string> = new Set([
  'recorded_not_visible',
  'outcome_unknown',
  'too_many_attempts',
  'quota_exceeded',
  'budget_exceeded',
]);

function headersOf(
  status: number,
  code: string,
  { retry_after: retryAfter, repeat_with: repeatWith }: Readonly<Record<string, unknown>>,
): Record<string, string> {
  const headers: Record<string, string> = { 'content-type': 'application/problem+json; charset=utf-8', 'cache-control': 'no-store' };
  if (status === 401) headers['www-authenticate'] = 'Bearer';
  // The SDKs of OpenAI and Anthropic repeat 408, 409, 429 and 5xx by themselves. The code decides whether a repeat is useful.
  if (status === 429 || status === 503) headers['x-should-retry'] = String(repeatWith !== undefined || !FINAL.has(code));
  else if (FINAL.has(code) || (status === 409 && !PASSING.has(code))) headers['x-should-retry'] = 'false';
  // Without Retry-After, clients that do not know `x-should-retry`, such as curl, do not repeat a request that may have had an effect.
  const isFinal = status === 503 && headers['x-should-retry'] === 'false';
  if (!isFinal && (status === 429 || status === 503) && (typeof retryAfter === 'number' || status === 503)) {
    // Whole seconds and at least one, because with zero a client would retry at once.
    headers['retry-after'] = String(Math.max(1, Math.ceil(typeof retryAfter === 'number' ? retryAfter : 5)));
  }
  return headers;
}
