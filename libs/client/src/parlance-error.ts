export interface FieldError {
  readonly path: string;
  readonly message: string;
}

/** The budget that is used up. */
export interface ExceededBudget {
  readonly scope: 'all' | 'user' | 'group' | 'bot' | 'key' | 'token' | 'cost_centre';
  /** Name of the group, for the scope `group`. */
  readonly group: string | null;
  readonly period: 'DAY' | 'WEEK' | 'MONTH';
}

interface Details {
  readonly status?: number;
  readonly requestId?: string | null;
  readonly errors?: readonly FieldError[];
  readonly retryAfter?: number | null;
  readonly resetsAt?: number | null;
  readonly budget?: ExceededBudget | null;
  readonly cause?: unknown;
}

/**
 * Thrown if the server refuses a request or does not answer. `code` is stable and documented in the OpenAPI document. Codes of the client
 * itself have status 0: `connection_failed`, `timed_out`, `stream_broken`, `approval_required`, `second_factor_required` and `signed_out`.
 */
export class ParlanceError extends Error {
  override readonly name = 'ParlanceError';
  /** HTTP status; 0 without an answer. */
  readonly status: number;
  /** Identifies the request in server logs and for support. */
  readonly requestId: string | null;
  /** Errors by field, with status 400. */
  readonly errors: readonly FieldError[];
  /** Seconds after which the server allows another attempt. */
  readonly retryAfter: number | null;
  /** For a limit per period: when the next period starts, in epoch seconds. */
  readonly resetsAt: number | null;
  /** With the code `budget_exceeded`, from servers that report it. */
  readonly budget: ExceededBudget | null;

  constructor(
    readonly code: string,
    message: string,
    { status = 0, requestId = null, errors = [], retryAfter = null, resetsAt = null, budget = null, cause }: Details = {},
  ) {
    super(message, cause === undefined ? undefined : { cause });
    this.status = status;
    this.requestId = requestId;
    this.errors = errors;
    this.retryAfter = retryAfter;
    this.resetsAt = resetsAt;
    this.budget = budget;
  }

  /** Reads the error from a response: an RFC 9457 problem, or the format of OpenAI's API. */
  static async of(answer: Response): Promise<ParlanceError> {
    const { status, headers } = answer;
    const body = asObject(await answer.json().catch(() => null));
    const problem = asObject(body['error'] ?? body);
    const text = (...names: string[]) => names.map((name) => problem[name]).find((value): value is string => typeof value === 'string');
    return new ParlanceError(
      text('code', 'type') ?? `http_${status}`,
      text('detail', 'message') ?? `The server answered with status ${status}.`,
      {
        status,
        requestId: headers.get('x-request-id') ?? text('request_id') ?? null,
        errors: Array.isArray(problem['errors']) ? (problem['errors'] as FieldError[]) : [],
        retryAfter: retryAfterIn(headers),
        resetsAt: typeof problem['resets_at'] === 'number' ? problem['resets_at'] : null,
        budget: (problem['budget'] as ExceededBudget | undefined) ?? null,
      },
    );
  }
}

/** The header contains seconds or a date. */
export function retryAfterIn(headers: Headers): number | null {
  const value = headers.get('retry-after');
  if (value === null) return null;
  const seconds = /^\d+$/.test(value) ? Number(value) : (Date.parse(value) - Date.now()) / 1_000;
  return Number.isFinite(seconds) ? Math.max(0, seconds) : null;
}

function asObject(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}
