import { AnswerTooLarge, type FailureCode, GenerationFailed, Redirected } from './generation-failed.ts';

/** The fields of AI SDK and connection errors that show what happened. */
interface SdkError {
  readonly name?: string;
  readonly code?: unknown;
  readonly statusCode?: number;
  readonly responseHeaders?: Readonly<Record<string, string>>;
  readonly cause?: unknown;
}

/** How far a call had progressed when it failed. `sent`: no answer has started. */
export type Progress = 'sent' | 'answering';

export interface Failure {
  readonly failed: GenerationFailed;
  /** True if the provider refused the call or was not reached, so it cannot have charged anything. */
  readonly isFree: boolean;
}

const DEEPEST_CAUSE = 5;
const NOT_REACHED = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH', 'ECONNABORTED', 'CERT_HAS_EXPIRED']);
const LONGEST_RETRY_AFTER_SECONDS = 3_600;

/**
 * The failure that an error of the SDK or of the connection represents. The provider's texts are dropped, because they may contain hosts and
 * keys.
 */
export function failureOf(error: unknown, progress: Progress): Failure {
  let cause = error as SdkError | undefined;
  for (let depth = 0; depth < DEEPEST_CAUSE && typeof cause === 'object' && cause !== null; depth++) {
    if (cause instanceof Redirected) return { failed: new GenerationFailed('provider_misconfigured'), isFree: true };
    if (cause instanceof AnswerTooLarge) return { failed: new GenerationFailed('answer_invalid'), isFree: false };
    const status = cause.statusCode;
    if (status !== undefined && status >= 400) {
      const retryAfterSeconds = secondsOf(cause.responseHeaders?.['retry-after'], Date.now());
      // A status within an answer that has started is an error event: the text before it may be charged.
      return { failed: new GenerationFailed(codeOf(status), { status, retryAfterSeconds }), isFree: progress === 'sent' };
    }
    if (/TypeValidation|JSONParse|InvalidResponse|EmptyResponse|SyntaxError/.test(cause.name ?? ''))
      return { failed: new GenerationFailed(progress === 'sent' ? 'answer_invalid' : 'stream_broken'), isFree: false };
    if (typeof cause.code === 'string' && NOT_REACHED.has(cause.code))
      return { failed: new GenerationFailed('provider_unavailable'), isFree: true };
    cause = cause.cause as SdkError | undefined;
  }
  return { failed: new GenerationFailed(progress === 'sent' ? 'provider_unavailable' : 'stream_broken'), isFree: false };
}

function codeOf(status: number): FailureCode {
  if (status === 429 || status === 529) return 'provider_busy';
  if (status === 408 || status >= 500) return 'provider_unavailable';
  return status === 401 || status === 403 || status === 404 ? 'provider_misconfigured' : 'request_refused';
}

/** The seconds in a Retry-After header, which contains seconds or a date. Null for an absent or malformed one. */
export function secondsOf(retryAfter: string | undefined, now: number): number | null {
  if (retryAfter === undefined) return null;
  const text = retryAfter.trim();
  const seconds = /^\d{1,9}$/.test(text) ? Number(text) : Math.ceil((Date.parse(text) - now) / 1_000);
  return Number.isNaN(seconds) ? null : Math.min(Math.max(0, seconds), LONGEST_RETRY_AFTER_SECONDS);
}
