import type { Usage } from '../chat-model.ts';

/** Why a model gave no answer, or only a part of one. */
export type FailureCode =
  /** The connection failed, or the provider answered 5xx. */
  | 'provider_unavailable'
  /** The last calls failed, so the provider is not called for a few seconds. */
  | 'provider_paused'
  /** The provider answered 429 or 529: the account's limit is reached, or the provider is overloaded. */
  | 'provider_busy'
  /** As many calls to the provider as allowed were made, for too long. This one was not sent. */
  | 'queue_timed_out'
  /** The provider was silent for too long, before or during its answer. */
  | 'provider_timed_out'
  /** The provider answered 401, 403 or 404, or redirected: the configuration is wrong. */
  | 'provider_misconfigured'
  /** The provider refused the request with another 4xx. Other requests may succeed. */
  | 'request_refused'
  /** The answer ended too early. */
  | 'stream_broken'
  /** The answer does not follow the API. */
  | 'answer_invalid';

/** The same call may succeed a moment later. */
const RETRYABLE: ReadonlySet<FailureCode> = new Set(['provider_unavailable', 'provider_busy', 'stream_broken']);

const SENTENCES: Readonly<Record<FailureCode, string>> = {
  provider_unavailable: 'The provider of this model is not available. Try again in a few seconds, or choose another model.',
  provider_paused: 'The last calls to the provider of this model failed. Try again in a few seconds, or choose another model.',
  provider_busy: 'The provider of this model is overloaded, or the limit of its account is reached. Try again in a minute.',
  queue_timed_out: 'Too many calls wait for the provider of this model. Try again in a few seconds, or choose another model.',
  provider_timed_out: 'The model did not answer in time. Try again, or choose another model.',
  provider_misconfigured: 'The provider of this model denies access. Ask an administrator to check its configuration.',
  request_refused: 'The model refuses this message. Shorten it, or remove its files.',
  stream_broken: 'The answer of the model broke off. Try again.',
  answer_invalid: 'The provider of this model gave an answer that cannot be read. Choose another model.',
};

/** What one call may cost. */
export interface CallCharge {
  /** ID of the model in the catalogue. */
  readonly model: string;
  readonly usage: Usage;
}

interface FailureDetails {
  readonly usage?: Usage | null;
  readonly charges?: readonly CallCharge[];
  readonly retryAfterSeconds?: number | null;
  /** The HTTP status of the answer, for logs. */
  readonly status?: number | null;
}

/**
 * Thrown by a chat model that gives no answer or stops before the end. The message is for users: it contains no host, no key and no text of the
 * provider.
 */
export class GenerationFailed extends Error {
  /** Whether the same call may succeed a moment later. */
  readonly isRetryable: boolean;
  /** The provider's requested time before the next call, if it sent one. */
  readonly retryAfterSeconds: number | null;
  /** What the provider may charge: as reported, otherwise counted. Null if nothing can have been charged. */
  readonly usage: Usage | null;
  /** The possible costs of all calls that the router made before it gave up, including this one. Empty if a model itself throws it. */
  readonly charges: readonly CallCharge[];
  readonly status: number | null;

  constructor(
    readonly code: FailureCode,
    { usage = null, charges = [], retryAfterSeconds = null, status = null }: FailureDetails = {},
  ) {
    super(SENTENCES[code]);
    this.name = 'GenerationFailed';
    this.isRetryable = RETRYABLE.has(code);
    this.usage = usage;
    this.charges = charges;
    this.retryAfterSeconds = retryAfterSeconds;
    this.status = status;
  }

  withUsage(usage: Usage | null): GenerationFailed {
    return new GenerationFailed(this.code, { ...this, usage });
  }

  withCharges(charges: readonly CallCharge[]): GenerationFailed {
    return new GenerationFailed(this.code, { ...this, charges });
  }
}

/** Thrown within an adapter if an answer exceeds its limit of bytes. */
export class AnswerTooLarge extends Error {
  override readonly name = 'AnswerTooLarge';
}

/** Thrown within an adapter if the provider answers with a redirect. */
export class Redirected extends Error {
  override readonly name = 'Redirected';
}
