type Headers = Readonly<Record<string, string>>;

const ANY = '*';
const ALLOWED: Headers = {
  'access-control-allow-methods': 'GET, POST, OPTIONS',
  'access-control-allow-headers': 'Authorization, Content-Type, x-api-key, Idempotency-Key',
  'access-control-expose-headers': 'X-RateLimit-Limit, X-RateLimit-Remaining, X-RateLimit-Reset, Retry-After, X-Request-Id',
};
const MAX_AGE = { 'access-control-max-age': '600' } as const;

/** The CORS headers of a published API, made once for each copy. An origin that is not allowed gets none. */
export class CorsHeaders {
  private readonly ofOrigin = new Map<string, Headers>();

  constructor(allowedOrigins: readonly string[]) {
    for (const origin of allowedOrigins) this.ofOrigin.set(origin, { 'access-control-allow-origin': origin, ...ALLOWED });
  }

  of(origin: string | undefined): Headers | null {
    return this.ofOrigin.get(ANY) ?? (origin === undefined ? null : (this.ofOrigin.get(origin) ?? null));
  }

  /** Of the answer to a preflight. Browsers keep it for ten minutes. */
  ofPreflight(origin: string | undefined): Headers {
    const its = this.of(origin);
    return its ? { ...its, ...MAX_AGE } : {};
  }
}
