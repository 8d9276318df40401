import { blockOf, type HeaderBlock } from '@parlance/http';

type Headers = Readonly<Record<string, string>>;

const ANY = '*';
const ALLOWED: Headers = {
  'access-control-allow-methods': 'GET, POST, OPTIONS',
  'access-control-allow-headers': 'Authorization, Content-Type, x-api-key, Idempotency-Key',
  'access-control-expose-headers': 'X-RateLimit-Limit, X-RateLimit-Remaining, X-RateLimit-Reset, Retry-After, X-Request-Id',
};
const NONE = blockOf({});
const MAX_AGE = { 'access-control-max-age': '600' } as const;

/** The CORS headers of a published API, made once for each copy. An origin that is not allowed gets none. */
export class CorsHeaders {
  private readonly ofOrigin = new Map<string, Headers>();
  private readonly ofAny: Headers | null;

  constructor(allowedOrigins: readonly string[]) {
    for (const origin of allowedOrigins) this.ofOrigin.set(origin, { 'access-control-allow-origin': origin, ...ALLOWED });
    this.ofAny = this.ofOrigin.get(ANY) ?? null;
  }

  of(origin: string | undefined): HeaderBlock {
    const its = this.headersOf(origin);
    return its ? blockOf(its) : NONE;
  }

  /** Of the answer to a preflight. Browsers keep it for ten minutes. */
  ofPreflight(origin: string | undefined): Headers {
    const its = this.headersOf(origin);
    return its ? { ...its, ...MAX_AGE } : {};
  }

  private headersOf(origin: string | undefined): Headers | null {
    return this.ofAny ?? (origin === undefined ? null : (this.ofOrigin.get(origin) ?? null));
  }
}
