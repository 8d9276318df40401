/**
 * Thrown if a remote service does not answer in time, answers 408, 429 or 5xx, breaks the connection, or its circuit breaker is open. The same
 * call may succeed later. The message is for users: it has no host name, no key and no text from the service.
 */
export class RemoteUnavailable extends Error {
  constructor(
    readonly service: string,
    reason: string,
    /** The service's requested time before the next call, if it sent one. */
    readonly retryAfterMillis: number | null = null,
  ) {
    super(`${service} is not available: ${reason}.`);
    this.name = 'RemoteUnavailable';
  }
}

/**
 * Thrown if a remote service refuses a request (another 4xx) or its answer breaks the contract. The same call fails again until the configuration
 * or the service changes. The message is for users.
 */
export class RemoteRefused extends Error {
  constructor(
    readonly service: string,
    reason: string,
  ) {
    super(`${service} can't be used: ${reason}.`);
    this.name = 'RemoteRefused';
  }
}

/** Thrown if the body of an answer exceeds its limit. */
export class AnswerTooLarge extends Error {
  constructor(readonly mostBytes: number) {
    super(`its answer is larger than ${mostBytes} bytes`);
    this.name = 'AnswerTooLarge';
  }
}

const REASONS: Readonly<Record<number, string>> = {
  401: 'it answered 401. Check the credentials in the configuration',
  403: 'it answered 403. Check the credentials and their rights',
  404: 'it answered 404. Check the address and the name of the model or knowledge base',
};

/** The failure for this status, or null for a success. */
export function failureOfStatus(service: string, status: number, retryAfter: string | null): RemoteUnavailable | RemoteRefused | null {
  if (status >= 200 && status < 300) return null;
  if (status === 408 || status === 429 || status >= 500)
    return new RemoteUnavailable(service, `it answered ${status}`, millisOf(retryAfter, Date.now()));
  return new RemoteRefused(service, REASONS[status] ?? `it answered ${status}`);
}

/** The milliseconds in a Retry-After header, which contains seconds or a date. Null for an absent or malformed one. */
export function millisOf(retryAfter: string | null, now: number): number | null {
  if (retryAfter === null) return null;
  if (/^\d{1,9}$/.test(retryAfter.trim())) return Number(retryAfter) * 1_000;
  const date = Date.parse(retryAfter);
  return Number.isNaN(date) ? null : Math.max(0, date - now);
}

/** The fields of AI SDK and AWS SDK errors that show what happened. */
interface SdkError {
  readonly name?: string;
  readonly message?: string;
  readonly statusCode?: number;
  readonly responseHeaders?: Readonly<Record<string, string>>;
  readonly $metadata?: { readonly httpStatusCode?: number };
  readonly cause?: unknown;
}

const DEEPEST_CAUSE = 5;

/** The failure that a client's error represents. Texts of the service and of the client are dropped, because they may contain hosts and keys. */
export function failureOf(service: string, error: unknown): RemoteUnavailable | RemoteRefused {
  let cause = error as SdkError | undefined;
  for (let depth = 0; depth < DEEPEST_CAUSE && typeof cause === 'object' && cause !== null; depth++) {
    if (cause instanceof RemoteUnavailable || cause instanceof RemoteRefused) return cause;
    if (cause instanceof AnswerTooLarge) return new RemoteRefused(service, cause.message);
    const status = cause.statusCode ?? cause.$metadata?.httpStatusCode;
    const failure = status === undefined ? null : failureOfStatus(service, status, cause.responseHeaders?.['retry-after'] ?? null);
    if (failure !== null) return failure;
    if (/TypeValidation|JSONParse|InvalidResponse|EmptyResponse|SyntaxError/.test(cause.name ?? ''))
      return new RemoteRefused(service, 'its answer does not have the expected form');
    cause = cause.cause as SdkError | undefined;
  }
  return new RemoteUnavailable(service, 'the connection failed');
}
