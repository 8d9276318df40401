import { ParlanceError } from './parlance-error.ts';
import { pauseBeforeRetry, type RetryOptions, time } from './retries.ts';

export interface TransportOptions {
  /** For tests, and for runtimes with their own `fetch`. */
  readonly fetch?: typeof globalThis.fetch;
  readonly retries?: RetryOptions;
  /** How long one attempt may take until the response starts or, without a stream, until it ends. Default 40,000. */
  readonly timeoutMillis?: number;
  /**
   * Called when a request needs a fresh second factor (`step_up_required`). True if one was proved with POST /user/me/step-up: then the
   * request is sent again, once.
   */
  readonly stepUp?: () => Promise<boolean>;
  /** Sent with each request. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** Sets the credential of each attempt. */
export interface Credential {
  headers(signal?: AbortSignal): Promise<Readonly<Record<string, string>>>;
  /** Called when the server does not accept these headers. True if new ones are available. */
  refused(headers: Readonly<Record<string, string>>): Promise<boolean>;
}

export interface Call {
  readonly method: string;
  readonly path: string;
  readonly query?: Readonly<Record<string, unknown>> | undefined;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  readonly signal?: AbortSignal | undefined;
  /** True if a repeat has no second effect. */
  readonly isRepeatable?: boolean;
  /** True if the answer's body is read without a time limit. */
  readonly streams?: boolean;
}

const TIMEOUT_MILLIS = 40_000;

/** Sends requests to one server, with safe retries. */
export class Transport {
  private readonly base: string;
  private readonly fetch: typeof globalThis.fetch;

  constructor(
    baseUrl: string,
    private readonly credential: Credential | null,
    private readonly options: TransportOptions = {},
  ) {
    this.base = baseUrl.replace(/\/+$/, '');
    // A browser's fetch must not be called as a method.
    this.fetch = options.fetch ?? ((...request) => globalThis.fetch(...request));
  }

  /** Resolves with a successful answer. Throws ParlanceError, or the reason of the signal. */
  async send(call: Call): Promise<Response> {
    let hasNewCredential = false;
    let hasSteppedUp = false;
    for (let failures = 1; ; failures++) {
      const headers = this.credential ? await this.credential.headers(call.signal) : {};
      try {
        return await this.attempt(call, headers);
      } catch (error) {
        if (!(error instanceof ParlanceError)) throw error;
        // A wrong second factor must not be sent again, because each attempt is counted.
        const isOfToken = error.status === 401 && error.code !== 'wrong_second_factor';
        if (isOfToken && !hasNewCredential && (await this.credential?.refused(headers))) {
          hasNewCredential = true;
          continue;
        }
        if (error.code === 'step_up_required' && !hasSteppedUp && (await this.options.stepUp?.())) {
          hasSteppedUp = true;
          continue;
        }
        const millis = pauseBeforeRetry(error, failures, call.isRepeatable ?? call.method === 'GET', this.options.retries);
        if (millis === null) throw error;
        await time.pause(millis, call.signal);
      }
    }
  }

  private async attempt(call: Call, credential: Readonly<Record<string, string>>): Promise<Response> {
    const { method, body, signal, streams = false } = call;
    signal?.throwIfAborted();
    const attempt = new AbortController();
    const abort = () => attempt.abort(signal?.reason);
    signal?.addEventListener('abort', abort, { once: true });
    const { timeoutMillis = TIMEOUT_MILLIS } = this.options;
    const timer = setTimeout(() => attempt.abort(timedOut(method, call.path)), timeoutMillis);
    try {
      const answer = await this.fetch(this.addressOf(call), {
        method,
        headers: {
          ...(body !== undefined && { 'content-type': 'application/json' }),
          ...this.options.headers,
          ...credential,
          ...call.headers,
        },
        ...(body !== undefined && { body: JSON.stringify(body) }),
        signal: attempt.signal,
      });
      if (!answer.ok) throw await ParlanceError.of(answer);
      // The body is read here, within the time limit.
      return streams ? answer : new Response(empty(answer) ? null : await answer.arrayBuffer(), answer);
    } catch (error) {
      if (error instanceof ParlanceError) throw error;
      if (attempt.signal.aborted) throw attempt.signal.reason;
      throw new ParlanceError('connection_failed', `${method} ${call.path} got no answer.`, { cause: error });
    } finally {
      clearTimeout(timer);
      // The reader of a stream handles the signal itself.
      signal?.removeEventListener('abort', abort);
    }
  }

  private addressOf({ path, query = {} }: Call): string {
    const search = new URLSearchParams();
    for (const [name, value] of Object.entries(query)) if (value !== undefined && value !== null) search.append(name, String(value));
    return `${this.base}${path}${search.size > 0 ? `?${search}` : ''}`;
  }
}

const timedOut = (method: string, path: string) => new ParlanceError('timed_out', `${method} ${path} took too long.`);

/** A Response with one of these statuses must not have a body. */
const empty = ({ status }: Response): boolean => status === 204 || status === 205 || status === 304;
