import { blockOf, type HeaderBlock } from '@parlance/http';

type Headers = Readonly<Record<string, string>>;

const ANY = '*';
/** Headers that scripts may read: the limits, and headers that the SDKs of OpenAI, Anthropic and the Model Context Protocol use. */
const EXPOSED =
  'X-RateLimit-Limit, X-RateLimit-Remaining, X-RateLimit-Reset, Retry-After, X-Should-Retry, X-Request-Id, Request-Id, WWW-Authenticate, ' +
  'Idempotent-Replayed, X-Parlance-Budget-Warning, Mcp-Session-Id, Mcp-Protocol-Version';
const METHODS = 'GET, POST, DELETE, OPTIONS';
/** Headers that a browser may send if its preflight names none. */
const USUAL = 'Authorization, Content-Type, x-api-key, Idempotency-Key';
/** Headers that a browser may send. The SDKs describe themselves in headers whose names differ between versions, and in `User-Agent`. */
const SENT =
  /^(accept|authorization|content-type|x-api-key|idempotency-key|last-event-id|prefer|user-agent|x-request-id|(x-stainless|openai|anthropic|mcp)-[a-z0-9-]{1,64})$/;
/** The most header names of a preflight that are read. */
const MOST_NAMES = 64;
const NONE = blockOf({});

/** The CORS headers of a published API, built once for each copy. An origin that is not allowed gets none. */
export class CorsHeaders {
  private readonly ofOrigin = new Map<string, Headers>();
  private readonly ofAny: Headers | null;

  constructor(allowedOrigins: readonly string[]) {
    for (const origin of allowedOrigins)
      this.ofOrigin.set(origin, { 'access-control-allow-origin': origin, 'access-control-expose-headers': EXPOSED });
    this.ofAny = this.ofOrigin.get(ANY) ?? null;
  }

  of(origin: string | undefined): HeaderBlock {
    const headers = this.headersOf(origin);
    return headers ? blockOf(headers) : NONE;
  }

  /** The answer to a preflight that requests these headers. Browsers cache it for ten minutes. */
  ofPreflight(origin: string | undefined, asked: string | undefined): Headers {
    const headers = this.headersOf(origin);
    if (!headers) return {};
    return {
      'access-control-allow-origin': headers['access-control-allow-origin']!,
      'access-control-allow-methods': METHODS,
      'access-control-allow-headers': asked === undefined ? USUAL : allowedOf(asked),
      'access-control-max-age': '600',
    };
  }

  private headersOf(origin: string | undefined): Headers | null {
    return this.ofAny ?? (origin === undefined ? null : (this.ofOrigin.get(origin) ?? null));
  }
}

const allowedOf = (asked: string): string =>
  asked
    .toLowerCase()
    .split(',', MOST_NAMES)
    .map((name) => name.trim())
    .filter((name) => SENT.test(name))
    .join(', ');
