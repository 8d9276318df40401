import { blockOf, type HeaderBlock } from '@parlance/http';
import { allowedOf, USUAL } from '../answers/sent-headers.ts';

type Headers = Readonly<Record<string, string>>;

const ANY = '*';
/** Headers that scripts may read: the limits, and headers that the SDKs of OpenAI, Anthropic and the Model Context Protocol use. */
const EXPOSED =
  'X-RateLimit-Limit, X-RateLimit-Remaining, X-RateLimit-Reset, Retry-After, X-Should-Retry, X-Request-Id, Request-Id, WWW-Authenticate, ' +
  'Idempotent-Replayed, X-Parlance-Budget-Warning, Mcp-Session-Id, Mcp-Protocol-Version';
const METHODS = 'GET, POST, DELETE, OPTIONS';
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
