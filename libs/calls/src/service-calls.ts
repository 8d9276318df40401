import { Instant, refuse, type Sentence } from '@parlance/decider';
import { type CallerStatement, type CallerStatements, FailedCall, type FieldError, kindOfStatus, STATEMENT_HEADER } from '@parlance/http';
import { type Caller, RequestContext } from '@parlance/observability';

export interface CallOptions {
  readonly query?: Readonly<Record<string, string | number | boolean | undefined>>;
  /** The caller of the call, instead of the current context's caller. */
  readonly caller?: Caller;
  /** Time limit of the call in milliseconds, for a route whose answer takes longer than the usual limit. */
  readonly millis?: number;
  /**
   * For a POST: it is a query, or may be repeated, so nothing is left of a lost one that matters to the caller. It is refused with
   * `service_unavailable`, even if it may have been received.
   */
  readonly isHarmless?: true;
}

/** The option of queries that are sent by POST, and of calls that may be repeated. */
export const HARMLESS = { isHarmless: true } as const satisfies CallOptions;

export interface BreakerState {
  readonly name: string;
  readonly state: 'closed' | 'open' | 'half_open';
}

export interface Exchange {
  readonly method: 'GET' | 'POST' | 'PATCH';
  /** The path with its query. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly millis?: number | undefined;
  /** Whether it matters if a lost call was received. */
  readonly hasEffect: boolean;
}

export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly body: string;
}

/** Signs the caller statements of calls, with the installation's key and the name of this service. */
export interface CallSigning {
  readonly statements: CallerStatements;
  readonly self: string;
}

/**
 * Calls other services with JSON. A call carries the current request's ID, correlation, trace and caller; outside a request, the caller is the
 * service itself. All methods throw the other service's refusal unchanged. If no answer of a Parlance service arrived in time, they throw
 * `outcome_unknown` (unavailable) for a command that the service may have received, otherwise `service_unavailable` (unavailable).
 */
export abstract class ServiceCalls {
  constructor(private readonly signing: CallSigning) {}

  get<Answered>(service: string, path: string, options: CallOptions = {}): Promise<Answered> {
    return this.call(service, {
      method: 'GET',
      path: pathOf(path, options),
      headers: this.headers(options.caller),
      millis: options.millis,
      hasEffect: false,
    });
  }

  post<Answered>(service: string, path: string, body: unknown, options: CallOptions = {}): Promise<Answered> {
    return this.send('POST', service, path, body, options);
  }

  patch<Answered>(service: string, path: string, body: unknown, options: CallOptions = {}): Promise<Answered> {
    return this.send('PATCH', service, path, body, options);
  }

  /** The breakers of the targets, for health and metrics. Their properties always show the current state. Empty for calls within the process. */
  abstract breakers(): readonly BreakerState[];

  /** Throws an error if there was no answer. */
  protected abstract exchange(service: string, exchange: Exchange): Promise<Answer>;

  /** Whether the service may have received the request of a failed exchange, and may have acted on it. */
  protected abstract mayHaveActed(error: unknown): boolean;

  private send<Answered>(method: 'POST' | 'PATCH', service: string, path: string, body: unknown, options: CallOptions): Promise<Answered> {
    const headers = { ...this.headers(options.caller), 'content-type': 'application/json' };
    const { millis, isHarmless = false } = options;
    return this.call(service, { method, path: pathOf(path, options), headers, body: JSON.stringify(body), millis, hasEffect: !isHarmless });
  }

  private async call<Answered>(service: string, exchange: Exchange): Promise<Answered> {
    let answer: Answer;
    try {
      answer = await this.exchange(service, exchange);
    } catch (error) {
      throw exchange.hasEffect && this.mayHaveActed(error)
        ? outcomeUnknown(service, error, exchange)
        : unavailable(service, error, exchange);
    }
    if (answer.status < 400) return (answer.body === '' ? undefined : JSON.parse(answer.body)) as Answered;
    throw refusalOf(service, answer, exchange);
  }

  private headers(caller?: Caller): Record<string, string> {
    const context = RequestContext.current() ?? RequestContext.background();
    const who = caller ?? context.caller;
    const statement: CallerStatement = {
      sub: who?.userId ?? this.signing.self,
      ...(who?.email === undefined ? {} : { email: who.email }),
      groups: who?.groups ?? [],
      sid: who?.sessionId ?? null,
      ...(who?.tokenId !== undefined && { tid: who.tokenId }),
      kind: who?.kind ?? 'service',
      ...(who?.api && { api: who.api }),
      ip: context.ip,
      ua: context.userAgent,
      rid: context.requestId,
      cid: context.correlationId,
      call: true,
    };
    return {
      [STATEMENT_HEADER]: this.signing.statements.sign(statement, Instant.ofMillis(Date.now())),
      ...(context.traceparent === undefined ? {} : { traceparent: context.traceparent }),
    };
  }
}

function pathOf(path: string, { query = {} }: CallOptions): string {
  const parameters = Object.entries(query).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, String(value)] as [string, string]],
  );
  return parameters.length === 0 ? path : `${path}?${new URLSearchParams(parameters)}`;
}

/** The refusal for a command that a service may have received, but did not answer. The answer to the user names what to look up. */
export function outcomeUnknown(
  service: string,
  cause: unknown,
  { method, path }: { readonly method: string; readonly path: string },
): Error {
  const detail: Sentence = `The service ${service} did not answer, so it is not known whether the request had its effect. Look it up before you repeat it.`;
  const refusal = refuse('unavailable', 'outcome_unknown', detail, { retry_after: 5 });
  refusal.cause = new FailedCall(service, method, path, cause);
  return refusal;
}

/** The refusal for a service that cannot have received the request. It names the service, not the host; the request and the cause are logged. */
export function unavailable(service: string, cause: unknown, { method, path }: { readonly method: string; readonly path: string }): Error {
  const refusal = refuse('unavailable', 'service_unavailable', `The service ${service} cannot be reached now. Try again later.`, {
    retry_after: 5,
  });
  refusal.cause = new FailedCall(service, method, path, cause);
  return refusal;
}

function refusalOf(service: string, { status, headers, body }: Answer, exchange: Exchange): Error {
  const problem = isProblem(headers)
    ? (JSON.parse(body) as { code: string; detail: Sentence; errors?: FieldError[]; resets_at?: number; budget?: object })
    : null;
  // The caller of this service gets no details of another service's internal errors. A service that answers with one has changed nothing.
  if (problem !== null && status >= 500 && status !== 503) return unavailable(service, new Error(`answered ${status}`), exchange);
  if (problem === null) return (exchange.hasEffect ? outcomeUnknown : unavailable)(service, new Error(`answered ${status}`), exchange);
  if (problem.code === 'outcome_unknown' && !exchange.hasEffect) return unavailable(service, new Error(`answered ${status}`), exchange);
  const retryAfter = headers['retry-after'];
  return refuse(kindOfStatus(status), problem.code, problem.detail, {
    ...(typeof retryAfter === 'string' ? { retry_after: Number(retryAfter) } : {}),
    ...(problem.resets_at === undefined ? {} : { resets_at: problem.resets_at }),
    ...(problem.budget === undefined ? {} : { budget: problem.budget }),
    ...(problem.errors === undefined ? {} : { errors: problem.errors }),
  });
}

export const isProblem = (headers: Answer['headers']): boolean => String(headers['content-type']).startsWith('application/problem+json');
